package io.moonpool.app.command.bench;

import io.moonpool.app.cluster.JavaCommand;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.command.bench.heartbeat.HeartbeatCommand;
import io.moonpool.bench.heartbeat.GcLog;
import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.bench.master.MasterStarter;
import io.moonpool.bench.master.StartedMaster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts the masters of load tests, each in a process and a folder of its own. One thread. */
final class BenchMasters implements MasterStarter {
  private static final String HOST = "127.0.0.1";

  /** What an index of many keys takes, with room for the collector to work beside it. */
  private static final int HEAP_BYTES_PER_KEY = 250;

  private static final int HEAP_BASE_MEBIBYTES = 512;
  private static final long KEYS_A_SECOND_AT_LEAST = 10_000;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final Path folder;
  private final @Nullable Integer heapMebibytes;
  private int started;

  private BenchMasters(Path folder, @Nullable Integer heapMebibytes) {
    this.folder = folder;
    this.heapMebibytes = heapMebibytes;
  }

  /**
   * Masters whose files are in a new temporary folder, which stays.
   *
   * @param heapMebibytes their largest heap; null to choose by the number of keys
   */
  static BenchMasters inNewFolder(@Nullable Integer heapMebibytes) throws IOException {
    return new BenchMasters(Files.createTempDirectory("moonpool-bench-"), heapMebibytes);
  }

  Path folder() {
    return folder;
  }

  @Override
  public StartedMaster start(
      Map<String, String> wanted, long room, @Nullable HeartbeatPool restored)
      throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve("master-" + ++started));
    Path gcLog = own.resolve("gc.log");
    JavaCommand command = JavaCommand.own();
    List<String> java = new ArrayList<>(command.start());
    java.add(GcLog.flag(gcLog));
    int heap =
        heapMebibytes != null
            ? heapMebibytes
            : HEAP_BASE_MEBIBYTES + (int) ((room * HEAP_BYTES_PER_KEY) >> 20);
    ServerProcess master =
        ServerProcess.start(
            new JavaCommand(java, command.application()),
            restored == null ? List.of("master") : command(restored),
            "master",
            own,
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
              new HeartbeatCommand.Meters(master)),
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
}
