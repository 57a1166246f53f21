package io.moonpool.app.command.bench.heartbeat;

import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.FigureOutput;
import io.moonpool.bench.heartbeat.HeartbeatBench;
import io.moonpool.bench.heartbeat.HeartbeatFigures;
import io.moonpool.bench.heartbeat.HeartbeatPage;
import io.moonpool.bench.heartbeat.HeartbeatSettings;
import io.moonpool.bench.heartbeat.PingWay;
import io.moonpool.bench.heartbeat.Scenario;
import io.moonpool.bench.master.StartedMaster;
import io.moonpool.master.rig.Ablation;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code moonpool bench heartbeat}. */
@Command(
    name = "heartbeat",
    description = {
      "Storms around a master with many keys, and what clients that ping it once a second see of"
          + " them. Starts the master; exit code 1 when a goal is missed, with the reason.",
      "s1: as many clients join as are there, and half of all keys are served again by that. s2:"
          + " half of the clients unmount at once. s3: a client dies. s4: s1 while memory is full,"
          + " a segment is drained, all keys are listed, connections come, garbage is made, and the log is stuck."
    })
public final class HeartbeatCommand implements Callable<Integer> {
  private static final int MIN_KEYS = 1_000;
  private static final int MAX_KEYS = 18_000_000;
  private static final int GARBAGE_MEBIBYTES = 200;
  private static final int QUIET = 0;
  private static final int BUSY = 16;
  private static final int DEEP = 8;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--scenario", defaultValue = "s1", description = "s1, s2, s3 or s4. Default: s1.")
  private Scenario scenario = Scenario.S1;

  @Option(
      names = "--keys",
      defaultValue = "1000000",
      description =
          "Keys in the index, up to 18000000; each takes about 200 bytes. Default: 1000000.")
  private long keys;

  @Option(
      names = "--clients",
      defaultValue = "12",
      description = "Clients that are there throughout; as many come or go. Default: 12.")
  private int clients;

  @Option(
      names = "--load-threads",
      description = "Threads of batched exists. Default: 16; 0 for s3, which is about times.")
  private @Nullable Integer loadThreads;

  @Option(
      names = "--pipeline",
      description =
          "Batches that each load thread has under way. Default: 1; 8 with --fallback or"
              + " --mooncake.")
  private @Nullable Integer pipeline;

  @Option(
      names = "--fallback",
      description = {
        "Clients ping the main port, as those do that do not reach the heartbeat port, and share its"
            + " loops with the load. Goal: p99.9 of the round trips is 50 ms at most."
      })
  private boolean fallback;

  @Option(
      names = "--mooncake",
      description = {
        "Clients are clients of Mooncake: they mount and ping at the main port in its calls, and so"
            + " does the load. Implies --fallback."
      })
  private boolean mooncake;

  @Option(
      names = "--seconds",
      description = "How long is measured. Default: 30; for s3 as long as it takes.")
  private @Nullable Integer seconds;

  @Option(
      names = "--active-ttl-ms",
      defaultValue = "10000",
      description = "The master's client_active_ttl_ms. Default: 10000.")
  private long activeTtlMillis;

  @Option(
      names = "--suspicion-ttl-ms",
      defaultValue = "20000",
      description = "The master's client_suspicion_ttl_ms. Default: 20000.")
  private long suspicionTtlMillis;

  @Option(
      names = "--ablation",
      defaultValue = "none",
      description = {
        "Take a protection away, to see that this test would notice: none, shared-loop or lock.",
        "Default: none."
      })
  private String ablation = "none";

  @Option(
      names = "--cold",
      description = "Measure a master that has not rehearsed its calls before, for quick trials.")
  private boolean cold;

  @Option(
      names = "--heap-mib",
      description = "The largest heap of the master. Default: by the number of keys.")
  private @Nullable Integer heapMebibytes;

  @Mixin private FigureOutput file = new FigureOutput();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write figures and plots as one page.")
  private @Nullable Path html;

  /** For the command line. */
  public HeartbeatCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Arguments.require(
        spec, keys >= MIN_KEYS && keys <= MAX_KEYS, "--keys must be 1000 to 18000000");
    Arguments.require(spec, clients >= 2 && clients <= 200, "--clients must be 2 to 200");
    Arguments.require(
        spec, loadThreads == null || loadThreads >= 0, "--load-threads must not be negative");
    Arguments.require(
        spec, pipeline == null || (pipeline >= 1 && pipeline <= 64), "--pipeline must be 1 to 64");
    Arguments.require(spec, seconds == null || seconds >= 3, "--seconds must be at least 3");
    Arguments.require(
        spec,
        activeTtlMillis >= 2_000,
        "--active-ttl-ms must be at least 2000: pings come each 1000");
    Arguments.require(
        spec, suspicionTtlMillis >= 1_000, "--suspicion-ttl-ms must be at least 1000");
    Ablation without = ablation();
    PingWay pings =
        mooncake ? PingWay.MOONCAKE : fallback ? PingWay.MAIN_PORT : PingWay.HEARTBEAT_PORT;
    int load = loadThreads != null ? loadThreads : scenario == Scenario.S3 ? QUIET : BUSY;
    HeartbeatSettings settings =
        new HeartbeatSettings(
            scenario,
            keys,
            clients,
            load,
            pipeline != null ? pipeline : pings.isMainPort() ? DEEP : 1,
            pings,
            seconds != null ? seconds : usualSeconds(),
            activeTtlMillis,
            suspicionTtlMillis,
            without == Ablation.NONE ? "" : ablation);
    PrintWriter out = file.text();
    HeartbeatFigures figures = run(settings, without, out);
    out.println();
    out.print(figures.toText());
    out.flush();
    file.write(figures.toJson());
    if (html != null) {
      Files.writeString(html, HeartbeatPage.of(figures));
    }
    return (figures.misses().isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private int usualSeconds() {
    long dies = (activeTtlMillis + suspicionTtlMillis) / 1_000 * 7 / 5 + 3;
    return scenario == Scenario.S3 ? (int) dies : 30;
  }

  private Ablation ablation() {
    for (Ablation each : Ablation.values()) {
      if (each.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(ablation)) {
        return each;
      }
    }
    throw new ParameterException(
        spec.commandLine(), "--ablation must be none, shared-loop or lock, not '" + ablation + "'");
  }

  private HeartbeatFigures run(HeartbeatSettings settings, Ablation without, PrintWriter out)
      throws IOException, InterruptedException {
    BenchMasters masters = BenchMasters.inNewFolder(heapMebibytes, cold);
    out.printf(
        Locale.ROOT,
        "master with %,d keys in %,d MiB; logs are in %s%n",
        keys,
        masters.heapMebibytes(keys),
        masters.folder());
    out.flush();
    boolean everything = scenario == Scenario.S4;
    return masters.measure(
        new VertxOptions(),
        vertx -> {
          try (StartedMaster master =
              masters.start(
                  command(settings, without, everything),
                  masterSettings(),
                  keys,
                  everything ? ServerProcess.Log.UNREAD : ServerProcess.Log.FILE)) {
            return new HeartbeatBench(
                    settings,
                    master.target(),
                    vertx,
                    note -> {
                      out.println(note);
                      out.flush();
                    })
                .run();
          }
        });
  }

  private static List<String> command(
      HeartbeatSettings settings, Ablation without, boolean everything) {
    List<String> command = new ArrayList<>(BenchMasters.command(settings.pool()));
    command.add("--ablation=" + without);
    if (everything) {
      command.addAll(List.of("--garbage-mib=" + GARBAGE_MEBIBYTES, "--log-level=debug"));
    } else {
      command.add("--log-level=info");
    }
    return command;
  }

  private Map<String, String> masterSettings() {
    return Map.of(
        "client_active_ttl_ms", String.valueOf(activeTtlMillis),
        "client_suspicion_ttl_ms", String.valueOf(suspicionTtlMillis));
  }
}
