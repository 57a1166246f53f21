package io.moonpool.app.command.bench;

import io.moonpool.app.cluster.JavaCommand;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.bench.master.MasterBench;
import io.moonpool.bench.master.MasterFigures;
import io.moonpool.bench.master.MasterPage;
import io.moonpool.bench.master.MasterSettings;
import io.moonpool.bench.master.ReferenceFigures;
import io.moonpool.bench.master.RowGroup;
import io.moonpool.bench.master.StartedMaster;
import io.moonpool.model.StoreException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code moonpool bench master}. */
@Command(
    name = "master",
    description = {
      "Memory per key, calls per second, what readers see while the index grows and while it evicts,"
          + " and what few of many keys cost. Starts the masters; exit code 0 also when goals are"
          + " missed, which are told at the end.",
      "Rows: load, batch, single, grpc, overfill, evict, touch."
    })
final class MasterCommand implements Callable<Integer> {
  private static final String HOST = "127.0.0.1";
  private static final long MAX_KEYS = 18_000_000;

  /** What an index of many keys takes, with room for the collector to work beside it. */
  private static final int HEAP_BYTES_PER_KEY = 250;

  private static final int HEAP_BASE_MEBIBYTES = 512;
  private static final long KEYS_A_SECOND_AT_LEAST = 10_000;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--rows", split = ",", description = "What to measure. Default: all.")
  private List<RowGroup> rows = List.of(RowGroup.values());

  @Option(
      names = "--keys",
      defaultValue = "1000000",
      description =
          "Keys that are put before calls are measured, up to 18000000. Default: 1000000.")
  private long keys;

  @Option(names = "--clients", defaultValue = "4", description = "Clients. Default: 4.")
  private int clients;

  @Option(
      names = "--batch",
      defaultValue = "128",
      description = "Keys of a call with many, up to 1000. Default: 128.")
  private int batch;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "How long each kind of call is measured. Default: 5.")
  private int seconds;

  @Option(
      names = "--overfill-puts",
      defaultValue = "2000000",
      description =
          "Objects of 4 KiB that are put into memory for 52 % of them. Default: 2000000, 4 GiB.")
  private long overfillPuts;

  @Option(
      names = "--evict-keys",
      defaultValue = "1000000",
      description = "Objects of which half are evicted at once. Default: 1000000.")
  private long evictKeys;

  @Option(
      names = "--touched",
      defaultValue = "50000",
      description = "Keys of the segment of the row touch. Default: 50000.")
  private int touched;

  @Option(
      names = "--pool-keys",
      split = ",",
      defaultValue = "1000000,4000000",
      description = "Among how many keys these are. Default: 1000000,4000000.")
  private List<Long> poolKeys = List.of();

  @Option(
      names = "--heap-mib",
      description = "The largest heap of the masters. Default: by the number of keys.")
  private @Nullable Integer heapMebibytes;

  @Option(
      names = "--reference",
      paramLabel = "FILE",
      description = {
        "Figures to stand beside those of this run: what --json wrote, or",
        "conf/reference-master.json."
      })
  private @Nullable Path reference;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON.")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Write the figures as one page.")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException, InterruptedException {
    require(keys >= 1_000 && keys <= MAX_KEYS, "--keys must be 1000 to " + MAX_KEYS);
    require(clients >= 1 && clients <= 64, "--clients must be 1 to 64");
    require(batch >= 1 && batch <= 1_000, "--batch must be 1 to 1000");
    require(seconds >= 1 && seconds <= 600, "--seconds must be 1 to 600");
    require(overfillPuts >= 10_000, "--overfill-puts must be at least 10000");
    require(evictKeys >= 10_000 && evictKeys <= MAX_KEYS, "--evict-keys must be 10000 to 18000000");
    require(touched >= 100, "--touched must be at least 100");
    require(
        poolKeys.stream().allMatch(each -> each >= 1_000 && each <= MAX_KEYS),
        "--pool-keys must be 1000 to " + MAX_KEYS + " each");
    require(!rows.isEmpty(), "--rows must name at least one row");
    MasterSettings settings =
        new MasterSettings(
            keys,
            clients,
            batch,
            seconds,
            overfillPuts,
            evictKeys,
            touched,
            poolKeys,
            EnumSet.copyOf(rows));
    PrintWriter out = spec.commandLine().getOut();
    MasterFigures figures = run(settings, beside(), out);
    out.println();
    out.print(figures.toText());
    out.flush();
    if (json != null) {
      Files.writeString(json, figures.toJson().encodePrettily() + "\n");
    }
    if (html != null) {
      Files.writeString(html, MasterPage.of(figures));
    }
    return ExitCode.OK.number();
  }

  private ReferenceFigures beside() throws IOException {
    Path file = reference;
    if (file == null) {
      return ReferenceFigures.NONE;
    }
    require(Files.isReadable(file), "--reference: " + file + " is no file that can be read");
    try {
      return ReferenceFigures.parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--reference " + file + ": " + e.getMessage(), e);
    }
  }

  private MasterFigures run(MasterSettings settings, ReferenceFigures beside, PrintWriter out)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("moonpool-bench-");
    out.printf("logs are in %s%n", folder);
    out.flush();
    Vertx vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setPreferNativeTransport(true)
                    .setEventLoopPoolSize(settings.clients() + 1))
            .build();
    try {
      return new MasterBench(
              settings,
              beside,
              vertx,
              (wanted, room, restored) -> start(folder, wanted, room, restored),
              note -> {
                out.println(note);
                out.flush();
              })
          .run();
    } catch (IllegalStateException | StoreException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "the run failed: " + e.getMessage() + "; logs are in " + folder);
    } finally {
      vertx.close();
    }
  }

  private int started;

  private StartedMaster start(
      Path parent, Map<String, String> wanted, long room, @Nullable HeartbeatPool restored)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectory(parent.resolve("master-" + ++started));
    Path gcLog = folder.resolve("gc.log");
    JavaCommand own = JavaCommand.own();
    List<String> java = new ArrayList<>(own.start());
    java.add(MasterBench.gcLogFlag(gcLog));
    int heap =
        heapMebibytes != null
            ? heapMebibytes
            : HEAP_BASE_MEBIBYTES + (int) ((room * HEAP_BYTES_PER_KEY) >> 20);
    ServerProcess master =
        ServerProcess.start(
            new JavaCommand(java, own.application()),
            restored == null ? List.of("master") : command(restored),
            "master",
            folder,
            settings(wanted),
            heap,
            ServerProcess.Log.FILE);
    boolean serves = false;
    try {
      Map<String, String> ready =
          master.awaitReady(Duration.ofSeconds(60 + room / KEYS_A_SECOND_AT_LEAST));
      serves = true;
      return new StartedMaster(
          new MasterUnderTest(
              HOST,
              port(ready, "rpc"),
              port(ready, "heartbeat"),
              port(ready, "http"),
              master.pid(),
              gcLog,
              () -> master.tell("reset")),
          Integer.parseInt(ready.getOrDefault("grpc", "0")),
          () -> stop(master));
    } finally {
      if (!serves) {
        master.close();
      }
    }
  }

  private static void stop(ServerProcess master) {
    master.requestStop();
    try {
      master.awaitStopped(STOP_LIMIT);
    } catch (InterruptedException e) {
      master.close();
      Thread.currentThread().interrupt();
    }
  }

  /** A master that has keys from the start. */
  private static List<String> command(HeartbeatPool pool) {
    return List.of(
        "bench",
        "heartbeat-master",
        "--keys=" + pool.keys(),
        "--clients=" + pool.clients(),
        "--segments=" + pool.segmentsPerClient(),
        "--fill=" + pool.fill());
  }

  private static Map<String, String> settings(Map<String, String> wanted) {
    Map<String, String> settings = new LinkedHashMap<>(wanted);
    settings.put("cluster_id", "bench");
    settings.put("rpc_host", HOST);
    for (String name : List.of("rpc", "grpc", "heartbeat", "http")) {
      settings.put(name + "_port", "0");
    }
    return settings;
  }

  private static int port(Map<String, String> ready, String name) throws IOException {
    String value = ready.get(name);
    if (value == null) {
      throw new IOException("the master did not tell its port " + name + ", only " + ready);
    }
    return Integer.parseInt(value);
  }

  private void require(boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }
}
