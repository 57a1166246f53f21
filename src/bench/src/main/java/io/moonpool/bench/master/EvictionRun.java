package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterFiguresReader;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Half of all objects are evicted at once: what that takes, and in how long slices it is done. */
final class EvictionRun {
  static final String NAME = "evict half";
  static final String CPU_OF_HALF_A_MILLION = "cpu_s_per_500000";
  static final String LONGEST_SLICE = "longest_slice_ms";

  private static final double WATERMARK = 0.90;
  private static final double FILL = 0.89;

  /** Of what is in memory when the watermark is reached. */
  private static final double RATIO = 0.5;

  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final long LOOK_MILLIS = 50;
  private static final int QUIET_LOOKS = 10;

  private static final String METADATA_LOOPS = "moonpool-metadata";

  /** Of the longest slices so many are told with what they were. */
  private static final int TOLD_SLICES = 3;

  private final MasterRig rig;

  EvictionRun(MasterRig rig) {
    this.rig = rig;
  }

  List<MasterRow> run() throws IOException, InterruptedException {
    long keys = rig.settings().evictKeys();
    HeartbeatPool pool = new HeartbeatPool(keys, MasterRig.LENDERS, 1, FILL);
    Map<String, String> settings =
        Map.of(
            "eviction_ratio",
            String.valueOf(RATIO),
            "eviction_high_watermark",
            String.valueOf(WATERMARK));
    rig.progress().accept(NAME + " of " + keys);
    try (StartedMaster master = rig.starter().start(settings, keys, pool);
        Lenders _ = rig.lenders(master.target(), pool);
        MasterProbe probe = new MasterProbe(master.target())) {
      AtomicLong next = new AtomicLong(keys);
      MasterFiguresReader.Scrape before = probe.scrape();
      double room =
          WATERMARK * before.sum("moonpool_memory_capacity_bytes", "")
              - before.sum("moonpool_memory_used_bytes", "");
      long left = (long) (room / HeartbeatPool.OBJECT_BYTES);
      long few = Math.max(1, keys / 1_000);
      put(master.target(), next, Math.max(0, left - few));
      master.target().meters().reset();
      MasterProbe.Moment start = probe.moment();
      put(master.target(), next, 2 * few);
      return List.of(awaited(master.target(), probe, start, keys));
    }
  }

  private void put(MasterUnderTest master, AtomicLong next, long count)
      throws InterruptedException {
    long end = next.get() + count;
    ClosedLoop writer =
        rig.load(
            master,
            1,
            Operation.Kind.PUT,
            client -> KeyBatches.fresh(next, end, rig.settings().batch()));
    writer.start();
    writer.await();
    next.set(end);
  }

  private MasterRow awaited(
      MasterUnderTest master, MasterProbe probe, MasterProbe.Moment start, long keys)
      throws IOException, InterruptedException {
    long limit = System.nanoTime() + LIMIT_NANOS;
    long evicted = 0;
    long changedNanos = start.nanos();
    double cpuSeconds = 0;
    // It is over when nothing more was evicted for a while; that while does not count.
    for (int quiet = 0; evicted < keys / 3 || quiet < QUIET_LOOKS; quiet++) {
      if (System.nanoTime() > limit) {
        throw new IllegalStateException("only " + evicted + " objects were evicted in two minutes");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      double cpu = probe.cpuSeconds() - start.cpuSeconds();
      long now = probe.scrape().evicted();
      if (now != evicted) {
        evicted = now;
        changedNanos = System.nanoTime();
        cpuSeconds = cpu;
        quiet = 0;
      }
    }
    double seconds = (changedNanos - start.nanos()) / 1e9;
    List<MasterUnderTest.Slice> slices = master.meters().longest();
    // Where evictions run; the others answer this probe, too.
    double slice =
        slices.stream()
            .filter(each -> each.loop().startsWith(METADATA_LOOPS))
            .mapToDouble(MasterUnderTest.Slice::millis)
            .max()
            .orElse(0);
    slices.stream()
        .sorted(Comparator.comparingDouble(MasterUnderTest.Slice::millis).reversed())
        .limit(TOLD_SLICES)
        .forEach(
            each ->
                rig.progress()
                    .accept(
                        String.format(
                            Locale.ROOT,
                            "%.2f ms on %s: %s",
                            each.millis(),
                            each.loop(),
                            each.handler())));
    MasterProbe.Used used = probe.since(start);
    return new MasterRow(NAME, Map.of())
        .with(MasterRow.OPS_PER_SECOND, evicted / seconds)
        .with(MasterRow.CPU, cpuSeconds)
        .with(MasterRow.GC_PAUSE, used.gcPauseMillis())
        .with("evicted", (double) evicted)
        .with(CPU_OF_HALF_A_MILLION, cpuSeconds * 500_000 / evicted)
        .with(LONGEST_SLICE, slice);
  }
}
