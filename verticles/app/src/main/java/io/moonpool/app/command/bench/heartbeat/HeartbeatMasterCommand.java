package io.moonpool.app.command.bench.heartbeat;

import io.moonpool.app.config.Component;
import io.moonpool.app.config.Settings;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.gateway.MooncakeGateway;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.MasterPorts;
import io.moonpool.master.MasterStats;
import io.moonpool.master.Rehearsal;
import io.moonpool.master.RestoredPool;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.loop.HandlerMeter;
import io.moonpool.master.rig.Ablation;
import io.moonpool.master.rig.MasterRig;
import io.moonpool.model.Checksum;
import io.moonpool.model.SegmentSpec;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The master of {@code moonpool bench heartbeat}. */
@Command(
    name = "heartbeat-master",
    hidden = true,
    description = {
      "For load tests only; 'moonpool bench heartbeat' starts it. A master whose index holds keys"
          + " from the start, as a restore would leave them, on segments of clients that have yet to"
          + " come, and that has rehearsed every call. Lines on stdin: 'reset' has it forget the"
          + " longest handlers so far, 'longest-handlers' has it tell them."
    })
public final class HeartbeatMasterCommand implements Callable<Integer> {
  static final String RESET = "reset";
  static final String LONGEST_HANDLERS = "longest-handlers";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--config", required = true, description = "A file with a master's settings.")
  private @Nullable Path config;

  @Option(names = "--stop-on-eof", description = "Stop when stdin ends. Else: never.")
  private boolean stopOnEof;

  @Option(names = "--keys", required = true, description = "Keys in the index.")
  private long keys;

  @Option(names = "--clients", required = true, description = "Clients that have them.")
  private int clients;

  @Option(names = "--segments", required = true, description = "Segments of each client.")
  private int segments;

  @Option(names = "--fill", required = true, description = "How full they are, up to 1.")
  private double fill;

  @Option(names = "--ablation", defaultValue = "NONE", description = "Which protection it lacks.")
  private Ablation ablation = Ablation.NONE;

  @Option(
      names = "--garbage-mib",
      defaultValue = "0",
      description = "MiB of garbage that a thread makes each second.")
  private int garbageMebibytes;

  /** For the command line. */
  public HeartbeatMasterCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    MasterConfig master =
        Settings.load(Component.MASTER, config, Path.of("none.yaml"), Map.of(), List.of()).config();
    HeartbeatPool pool = new HeartbeatPool(keys, clients, segments, fill);
    MasterMetrics metrics = new MasterMetrics();
    // On the side while the index is filled, and over before the master counts the time that its
    // restored segments may stay alone.
    CompletableFuture<?> rehearsal =
        master.rehearsal()
            ? Rehearsal.run(master).toCompletionStage().toCompletableFuture()
            : CompletableFuture.completedFuture("none");
    Master running;
    try {
      running =
          Master.start(
                  master,
                  metrics.configure(new VertxOptions()),
                  metrics::addTo,
                  List.of(new AdminInterface(metrics), new MooncakeGateway()),
                  new MasterRig(
                      restored -> {
                        fill(pool, restored);
                        rehearsal.join();
                      },
                      ablation))
              .toCompletionStage()
              .toCompletableFuture()
              .get();
    } catch (ExecutionException e) {
      throw new CommandFailure(ExitCode.FAILED, "the master does not start: " + e.getMessage());
    }
    if (garbageMebibytes > 0) {
      Garbage.make(garbageMebibytes);
    }
    MasterPorts ports = running.ports();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "READY master id=heartbeat rpc=%d heartbeat=%d http=%d pid=%d%n",
        ports.rpc(), ports.heartbeat(), ports.http(), ProcessHandle.current().pid());
    out.flush();
    if (!stopOnEof) {
      Thread.currentThread().join();
    }
    serve(running, out);
    try {
      running.close().toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "the master did not close in order: " + e.getMessage());
    }
    return ExitCode.OK.number();
  }

  /** Does what stdin says, until it ends. */
  private static void serve(Master running, PrintWriter out) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      switch (line) {
        case RESET -> running.resetMeters();
        case LONGEST_HANDLERS -> {
          JsonArray loops = new JsonArray();
          for (MasterStats.LoopCounts loop : running.stats().snapshot().loops()) {
            for (HandlerMeter.Longest longest : loop.longest()) {
              loops.add(
                  new JsonObject()
                      .put("loop", loop.name())
                      .put("millis", longest.nanos() / 1e6)
                      .put("handler", longest.name()));
            }
          }
          out.println(loops.encode());
          out.flush();
        }
        default -> throw new IOException("not understood: " + line);
      }
    }
  }

  private static void fill(HeartbeatPool pool, RestoredPool restored) {
    SegmentMount[][] mounts = new SegmentMount[pool.clients()][pool.segmentsPerClient()];
    for (int client = 0; client < pool.clients(); client++) {
      List<SegmentSpec> specs = pool.segments(client);
      for (int segment = 0; segment < specs.size(); segment++) {
        mounts[client][segment] = restored.segment(pool.nodeId(client), specs.get(segment));
      }
    }
    byte[] bytes = new byte[HeartbeatPool.KEY_BYTES];
    ObjectKey key = new ObjectKey();
    for (long number = 0; number < pool.keys(); number++) {
      HeartbeatPool.key(number, bytes);
      restored.object(
          key.set(bytes, 0, bytes.length, 0),
          HeartbeatPool.OBJECT_BYTES,
          Checksum.NONE,
          mounts[pool.client(number)][pool.segment(number)]);
    }
  }
}
