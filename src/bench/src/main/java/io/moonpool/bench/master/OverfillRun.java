package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.Hiccups;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * About twice as many objects are put as there is memory for, while one more client reads. It reads
 * the same few objects again and again: what it reads is leased, and were it to read everything,
 * nothing could be evicted.
 */
final class OverfillRun {
  static final String PREFIX = "overfill ";
  static final String READ = " read";

  /** Memory for so much of what is put: 4 GiB for 2,000,000 objects of 4 KiB. */
  private static final double ROOM = 0.524288;

  /** One object in so many of those that there is room for is read. */
  private static final int READ_ONE_IN = 80;

  private final MasterRig rig;
  private final double ratio;

  /**
   * A run with a master of its own.
   *
   * @param ratio its {@code eviction_ratio}
   */
  OverfillRun(MasterRig rig, double ratio) {
    this.rig = rig;
    this.ratio = ratio;
  }

  List<MasterRow> run() throws IOException, InterruptedException {
    long puts = rig.settings().overfillPuts();
    HeartbeatPool pool = new HeartbeatPool((long) (puts * ROOM), MasterRig.LENDERS, 1, 1);
    Map<String, String> settings = Map.of("eviction_ratio", String.valueOf(ratio));
    try (StartedMaster master = rig.starter().start(settings, pool.keys(), null);
        Lenders _ = rig.lenders(master.target(), pool)) {
      rig.progress().accept(PREFIX + ratio);
      return overfill(master.target(), puts, Math.max(1, pool.keys() / READ_ONE_IN));
    }
  }

  private List<MasterRow> overfill(MasterUnderTest master, long puts, long read)
      throws IOException, InterruptedException {
    int batch = rig.settings().batch();
    AtomicLong next = new AtomicLong();
    ClosedLoop first =
        rig.load(master, 1, Operation.Kind.PUT, client -> KeyBatches.fresh(next, read, batch));
    first.start();
    first.await();
    next.set(read);
    ClosedLoop reader =
        rig.load(
            master, 1, Operation.Kind.LOCATE, client -> KeyBatches.random(read, batch, client));
    ClosedLoop writers =
        rig.load(
            master,
            rig.settings().clients(),
            Operation.Kind.PUT,
            client -> KeyBatches.fresh(next, puts, batch));
    try (MasterProbe probe = new MasterProbe(master);
        Hiccups hiccups = new Hiccups(0)) {
      hiccups.start();
      reader.start();
      TimeUnit.SECONDS.sleep(1);
      MasterProbe.Moment start = probe.moment();
      hiccups.reset();
      reader.mark();
      writers.mark();
      writers.start();
      ClosedLoop.Seen written = writers.await();
      reader.stop();
      ClosedLoop.Seen seen = reader.await();
      double hiccupMillis = hiccups.worstNanos() / 1e6;
      MasterProbe.Used used = probe.since(start);
      return List.of(
          MasterRow.of(PREFIX + ratio + " put", written, used)
              .with("evicted", (double) probe.scrape().evicted()),
          MasterRow.of(PREFIX + ratio + READ, seen).with(LoadRun.HICCUP, hiccupMillis));
    }
  }
}
