package io.moonpool.app.command.bench;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.Checksum;
import io.moonpool.model.JobStatus;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What CPU time a master needs for the same drain beside few other keys, beside many, and beside
 * another job in which many units wait. The master runs in this process, so that its threads can be
 * asked; its nodes are calls over a socket, and no object has any bytes.
 */
final class DrainCpu implements AutoCloseable {
  /** Takes figures. */
  @FunctionalInterface
  interface Sink {
    /** The CPU time of all loops of the master, for one drain. */
    void figure(String what, int units, double millis);
  }

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration NEVER = Duration.ofHours(1);
  private static final UUID WRITER = new UUID(1, 1);
  private static final String TARGET = "target";
  private static final long SEGMENT_BYTES = 1L << 40;
  private static final long OBJECT_BYTES = 4_096;
  private static final int BATCH = 1_000;
  private static final int UNITS = 10_000;
  private static final int FEW = 10_000;
  private static final int MANY = 1_000_000;
  private static final int WAITING = 100_000;
  private static final int CONCURRENCY = 16;
  private static final int WARM_UPS = 20;
  private static final int ROUNDS = 9;
  private static final long LOOK_MILLIS = 2;

  private record Node(UUID id, long incarnation, String segment) {}

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Vertx vertx = Vertx.vertx();
  private final Master master;
  private final FrameClient client;
  private int nodes;
  private int rounds;

  /** Starts a master on free ports. */
  DrainCpu() {
    master =
        Await.result(
            Master.start(
                MasterConfig.builder()
                    .ephemeral()
                    .writeGrantMillis(NEVER.toMillis())
                    .clientActiveTtlMillis(NEVER.toMillis())
                    .build()),
            LIMIT);
    client = FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", master.ports().rpc()));
  }

  /** Runs all drains. */
  void run(Sink sink) throws InterruptedException {
    node(TARGET);
    Node others = node("others");
    put(others, "other/", 0, FEW);
    for (int i = 0; i < WARM_UPS; i++) {
      drain();
    }
    sink.figure("beside 10,000 keys", UNITS, median());
    put(others, "other/", FEW, MANY);
    sink.figure("beside 1,000,000 keys", UNITS, median());
    Node busy = node("busy");
    for (int from = 0; from < WAITING; from += BATCH) {
      start(busy, keys("waits/", from, from + BATCH));
    }
    UUID waits = Await.result(master.drains().createJob(request(busy)), LIMIT).id();
    awaitJob(waits, job -> job.blockedUnits() == WAITING);
    sink.figure("and 100,000 waiting units", UNITS, median());
  }

  private double median() throws InterruptedException {
    double[] millis = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      millis[i] = drain();
    }
    Arrays.sort(millis);
    return millis[ROUNDS / 2];
  }

  private static void require(Outcome<Void> done) {
    if (!done.ok()) {
      throw new StoreException(done.code());
    }
  }

  private <Q, R> R call(Call<Q, R> call, Q request) {
    return Await.result(client.call(call, request), LIMIT);
  }

  private Node node(String name) {
    UUID id = new UUID(2, ++nodes);
    long incarnation =
        call(Calls.REGISTER_NODE, new RegisterNode(id, id, name, "127.0.0.1:1")).incarnation();
    SegmentSpec memory =
        SegmentSpec.memory(
            new UUID(3, nodes),
            name,
            SEGMENT_BYTES,
            name,
            List.of(new SegmentEndpoint("tcp", new byte[] {1})));
    call(Calls.MOUNT_SEGMENTS, new MountSegments(id, incarnation, List.of(memory)))
        .getFirst()
        .get();
    return new Node(id, incarnation, name);
  }

  private static List<String> keys(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
  }

  private void put(Node node, String prefix, int from, int to) {
    for (int at = from; at < to; at += BATCH) {
      List<String> keys = keys(prefix, at, at + BATCH);
      long[] versions =
          start(node, keys).stream().mapToLong(started -> started.get().version()).toArray();
      call(
              Calls.END,
              new EndObjects(
                  WRITER,
                  "",
                  KeyBatch.of(keys),
                  versions,
                  Collections.nCopies(keys.size(), Checksum.NONE)))
          .forEach(DrainCpu::require);
    }
  }

  private List<Outcome<StartedObject>> start(Node node, List<String> keys) {
    long[] sizes = new long[keys.size()];
    Arrays.fill(sizes, OBJECT_BYTES);
    return call(
        Calls.PUT_START,
        new StartObjects(
            WRITER,
            "",
            KeyBatch.of(keys),
            sizes,
            ReplicateConfig.DEFAULT.withPreferredSegments(List.of(node.segment))));
  }

  private static DrainRequest request(Node node) {
    return new DrainRequest("", List.of(node.segment), List.of(TARGET), CONCURRENCY, 0, 0, 0);
  }

  /** Fills a node and drains it; answers the CPU time of the drain in milliseconds. */
  private double drain() throws InterruptedException {
    String name = "source-" + ++rounds;
    Node source = node(name);
    put(source, name + "/", 0, UNITS);
    long before = cpuNanos();
    UUID job = Await.result(master.drains().createJob(request(source)), LIMIT).id();
    int left = UNITS;
    while (left > 0) {
      List<ReplicaTask> tasks =
          call(
              Calls.TAKE_TASKS,
              new TakeTasks(source.id, source.incarnation, CONCURRENCY, LIMIT.toMillis() / 8));
      List<SettledTask> settled = new ArrayList<>(tasks.size());
      tasks.forEach(task -> settled.add(new SettledTask(task.taskId(), 0, "")));
      call(Calls.SETTLE_TASKS, new SettleTasks(source.id, source.incarnation, settled))
          .forEach(DrainCpu::require);
      left -= tasks.size();
    }
    awaitJob(job, info -> info.status() == JobStatus.SUCCEEDED);
    return (cpuNanos() - before) / 1e6;
  }

  private void awaitJob(UUID id, Predicate<JobInfo> ready) throws InterruptedException {
    long endNanos = System.nanoTime() + LIMIT.toNanos();
    JobInfo job = Await.result(master.drains().job(id), LIMIT);
    while (!ready.test(job)) {
      if (job.status().terminal() || System.nanoTime() - endNanos > 0) {
        throw new CommandFailure(
            ExitCode.FAILED, "a drain is " + job.status() + ": " + job.message());
      }
      Thread.sleep(LOOK_MILLIS);
      job = Await.result(master.drains().job(id), LIMIT);
    }
  }

  /** What the control loop and the metadata loops have used so far; frames are read there, too. */
  private long cpuNanos() {
    long sum = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null
          && (thread.getThreadName().startsWith("moonpool-control")
              || thread.getThreadName().startsWith("moonpool-meta"))) {
        sum += threads.getThreadCpuTime(thread.getThreadId());
      }
    }
    return sum;
  }

  @Override
  public void close() {
    Await.result(vertx.close(), LIMIT);
    Await.result(master.close(), LIMIT);
  }
}
