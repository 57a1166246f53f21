package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.Client;
import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterCaller;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.bench.heartbeat.SegmentDrain;
import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What happens to a segment with few of many keys: it comes back, it is unmounted, it is drained,
 * its node dies. The time must follow the few, not the many.
 */
final class TouchRun {
  static final String PREFIX = "touch ";
  static final List<String> TIMES =
      List.of("remount_ms", "unmount_ms", "offline_ms", "drain_first_task_ms");

  private static final int TIMES_EACH = 3;
  private static final double FILL = 0.5;
  private static final long ACTIVE_TTL_MILLIS = 10_000;
  private static final long SUSPICION_TTL_MILLIS = 2_000;
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double MILLI = 1e6;

  private final MasterRig rig;
  private final long keys;
  private final HeartbeatPool pool;
  private final List<Client> clients = new ArrayList<>();

  /**
   * A run with a master of its own.
   *
   * @param keys how many there are in all
   */
  TouchRun(MasterRig rig, long keys) {
    this.rig = rig;
    this.keys = keys;
    // Some that are unmounted, one that dies, one that is drained, and one that stays.
    int count = (int) Math.max(TIMES_EACH + 3, keys / rig.settings().touched());
    pool = new HeartbeatPool(keys, count, 1, FILL);
  }

  List<MasterRow> run() throws IOException, InterruptedException {
    rig.progress().accept(PREFIX + keys);
    Map<String, String> settings =
        Map.of(
            "client_active_ttl_ms", String.valueOf(ACTIVE_TTL_MILLIS),
            "client_suspicion_ttl_ms", String.valueOf(SUSPICION_TTL_MILLIS));
    try (StartedMaster master = rig.starter().start(settings, keys, pool)) {
      return List.of(touch(master.target()));
    } finally {
      clients.forEach(Client::close);
    }
  }

  private MasterRow touch(MasterUnderTest master) throws IOException, InterruptedException {
    List<Double> remounts = new ArrayList<>();
    for (int i = 0; i < pool.clients(); i++) {
      long begun = System.nanoTime();
      clients.add(Client.join(rig.vertx(), master, pool, i));
      remounts.add((System.nanoTime() - begun) / MILLI);
    }
    List<Double> unmounts = new ArrayList<>();
    for (int i = 0; i < TIMES_EACH; i++) {
      long begun = System.nanoTime();
      clients.get(i).unmount();
      unmounts.add((System.nanoTime() - begun) / MILLI);
    }
    MasterRow row =
        new MasterRow(PREFIX + keys, Map.of())
            .with("touched", (double) pool.keysOf(0))
            .with(TIMES.get(0), median(remounts))
            .with(TIMES.get(1), median(unmounts))
            .with(TIMES.get(2), offline(master, clients.get(TIMES_EACH)));
    return drain(master, TIMES_EACH + 1, row);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** From the end of a node until nothing of it is left. */
  private double offline(MasterUnderTest master, Client dying) throws InterruptedException {
    MasterCaller caller = new MasterCaller(rig.vertx(), master);
    DescribeSegments question = new DescribeSegments(new long[] {dying.generations().getFirst()});
    dying.close();
    long limit = System.nanoTime() + LIMIT_NANOS;
    long alive = System.nanoTime();
    List<SegmentInfo> there = caller.call(Calls.DESCRIBE_SEGMENTS, question);
    while (!there.isEmpty()) {
      SegmentInfo segment = there.getFirst();
      long now = System.nanoTime();
      if (now > limit) {
        throw new IllegalStateException("a node that fell silent is still there");
      }
      if (segment.status() == SegmentStatus.OK && segment.ownerState() != ClientState.OFFLINE) {
        alive = now;
      }
      TimeUnit.MILLISECONDS.sleep(1);
      there = caller.call(Calls.DESCRIBE_SEGMENTS, question);
    }
    return (System.nanoTime() - alive) / MILLI;
  }

  /** From the wish until the first object is to be moved, and how many are moved in a second. */
  private MasterRow drain(MasterUnderTest master, int number, MasterRow row)
      throws IOException, InterruptedException {
    Client client = clients.get(number);
    SegmentDrain.warmUp(master);
    long begun = System.nanoTime();
    SegmentDrain.begin(master, pool.segments(number).getFirst().id());
    int moved = 0;
    while (moved == 0) {
      if (System.nanoTime() - begun > LIMIT_NANOS) {
        throw new IllegalStateException("a drain does not begin");
      }
      moved = client.carryOutTasks();
    }
    double first = (System.nanoTime() - begun) / MILLI;
    long from = System.nanoTime();
    long more = 0;
    long now = from;
    while (now - from < DRAIN_NANOS && moved + more < pool.keysOf(number)) {
      more += client.carryOutTasks();
      now = System.nanoTime();
    }
    return row.with(TIMES.get(3), first).with("drained_per_s", more * 1e9 / (now - from));
  }
}
