package io.moonpool.app.command.bench.heartbeat;

import io.moonpool.app.cluster.JavaCommand;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.bench.heartbeat.GcLog;
import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.bench.master.MasterStarter;
import io.moonpool.bench.master.StartedMaster;
import io.moonpool.model.StoreException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
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
public final class BenchMasters implements MasterStarter {
  private static final String HOST = "127.0.0.1";

  /**
   * What is in the heap for each key, which is a small part of what it takes, with room for the
   * collector to work beside it.
   */
  private static final int HEAP_BYTES_PER_KEY = 16;

  private static final int HEAP_BASE_MEBIBYTES = 256;
  private static final long KEYS_A_SECOND_AT_LEAST = 10_000;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private final Path folder;
  private final @Nullable Integer heapMebibytes;
  private final boolean cold;
  private int started;

  private BenchMasters(Path folder, @Nullable Integer heapMebibytes, boolean cold) {
    this.folder = folder;
    this.heapMebibytes = heapMebibytes;
    this.cold = cold;
  }

  /**
   * Masters whose files are in a new temporary folder, which stays.
   *
   * @param heapMebibytes their largest heap; null to choose by the number of keys
   * @param cold they do not rehearse their calls
   * @throws IOException when there can be no such folder
   */
  public static BenchMasters inNewFolder(@Nullable Integer heapMebibytes, boolean cold)
      throws IOException {
    return new BenchMasters(Files.createTempDirectory("moonpool-bench-"), heapMebibytes, cold);
  }

  /** Where their files are. */
  public Path folder() {
    return folder;
  }

  /** The largest heap, in MiB, of a master with room for so many keys. */
  int heapMebibytes(long room) {
    return heapMebibytes != null
        ? heapMebibytes
        : HEAP_BASE_MEBIBYTES + (int) ((room * HEAP_BYTES_PER_KEY) >> 20);
  }

  /**
   * A load test.
   *
   * @param <T> its figures
   */
  @FunctionalInterface
  public interface LoadTest<T> {
    /** Measures. */
    T run(Vertx vertx) throws IOException, InterruptedException;
  }

  /**
   * Runs a load test with a Vert.x of its own, which is closed then.
   *
   * @param options of that
   * @throws CommandFailure when the test fails; the message says where the logs are
   */
  public <T> T measure(VertxOptions options, LoadTest<T> test)
      throws IOException, InterruptedException {
    Vertx vertx = Vertx.builder().with(options.setPreferNativeTransport(true)).build();
    try {
      return test.run(vertx);
    } catch (IllegalStateException | StoreException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "the run failed: " + e.getMessage() + "; logs are in " + folder);
    } finally {
      vertx.close();
    }
  }

  @Override
  public StartedMaster start(
      Map<String, String> wanted, long room, @Nullable HeartbeatPool restored)
      throws IOException, InterruptedException {
    return start(
        restored == null ? List.of("master") : command(restored),
        wanted,
        room,
        ServerProcess.Log.FILE);
  }

  /**
   * Starts a master by a command of its own and waits until it serves.
   *
   * @param application the command, which starts a master
   * @param wanted settings of the master
   * @param room how many keys its heap must have room for
   * @param keep what becomes of its log
   * @throws IOException when it does not start
   */
  StartedMaster start(
      List<String> application, Map<String, String> wanted, long room, ServerProcess.Log keep)
      throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve("master-" + ++started));
    Path gcLog = own.resolve("gc.log");
    JavaCommand command = JavaCommand.own();
    List<String> java = new ArrayList<>(command.start());
    java.add(GcLog.flag(gcLog));
    ServerProcess master =
        ServerProcess.start(
            new JavaCommand(java, command.application()),
            application,
            "master",
            own,
            settings(wanted),
            heapMebibytes(room),
            keep);
    boolean serves = false;
    try {
      Map<String, String> ready =
          master.awaitReady(Duration.ofSeconds(60 + room / KEYS_A_SECOND_AT_LEAST));
      StartedMaster running =
          new StartedMaster(
              new MasterUnderTest(
                  HOST,
                  port(ready, "rpc"),
                  port(ready, "heartbeat"),
                  port(ready, "http"),
                  master.pid(),
                  gcLog,
                  new Meters(master)),
              Integer.parseInt(ready.getOrDefault("grpc", "0")),
              () -> stop(master));
      serves = true;
      return running;
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

  /** The command that starts a master with keys from the start. */
  static List<String> command(HeartbeatPool pool) {
    return List.of(
        "bench",
        "heartbeat-master",
        "--keys=" + pool.keys(),
        "--clients=" + pool.clients(),
        "--segments=" + pool.segmentsPerClient(),
        "--fill=" + pool.fill());
  }

  private Map<String, String> settings(Map<String, String> wanted) {
    Map<String, String> settings = new LinkedHashMap<>(wanted);
    settings.put("rehearsal", String.valueOf(!cold));
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

  /** Asks the process of the master, which has to be one with keys from the start. */
  private record Meters(ServerProcess master) implements MasterUnderTest.Meters {
    @Override
    public void reset() throws IOException {
      master.tell(HeartbeatMasterCommand.RESET);
    }

    @Override
    public List<MasterUnderTest.Slice> longest() throws IOException, InterruptedException {
      JsonArray handlers =
          new JsonArray(master.ask(HeartbeatMasterCommand.LONGEST_HANDLERS, ANSWER_LIMIT));
      return handlers.stream()
          .map(JsonObject.class::cast)
          .map(
              each ->
                  new MasterUnderTest.Slice(
                      each.getString("loop"), each.getDouble("millis"), each.getString("handler")))
          .toList();
    }
  }
}
