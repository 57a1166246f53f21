package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.Hiccups;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** All keys are put in batches while one more client reads. What that takes, and what is left. */
final class LoadRun {
  static final String PUT = "load put";
  static final String READ = "load read";
  static final String MEMORY = "memory";
  static final String BYTES_PER_KEY = "bytes_per_key";
  static final String HICCUP = "hiccup_ms";

  private static final long READER_AHEAD_MILLIS = 1_000;

  private final MasterRig rig;
  private final MasterUnderTest master;
  private final AtomicLong next;

  /**
   * A run against an empty master.
   *
   * @param next the number of the next key that is put
   */
  LoadRun(MasterRig rig, MasterUnderTest master, AtomicLong next) {
    this.rig = rig;
    this.master = master;
    this.next = next;
  }

  List<MasterRow> run() throws IOException, InterruptedException {
    MasterSettings settings = rig.settings();
    int batch = settings.batch();
    ClosedLoop writers =
        rig.load(
            master,
            settings.clients(),
            Operation.Kind.PUT,
            client -> KeyBatches.fresh(next, settings.keys(), batch));
    long underWay = (long) settings.clients() * batch;
    ClosedLoop reader =
        rig.load(master, 1, Operation.Kind.LOCATE, client -> loaded(batch, underWay));
    try (MasterProbe probe = new MasterProbe(master);
        Hiccups hiccups = new Hiccups(0)) {
      hiccups.start();
      reader.start();
      // Its connection and its code are there before it counts; it finds nothing yet.
      TimeUnit.MILLISECONDS.sleep(READER_AHEAD_MILLIS);
      MasterProbe.Moment start = probe.moment();
      hiccups.reset();
      reader.mark();
      writers.mark();
      writers.start();
      ClosedLoop.Seen written = writers.await();
      reader.stop();
      ClosedLoop.Seen read = reader.await();
      double hiccupMillis = hiccups.worstNanos() / 1e6;
      MasterProbe.Used used = probe.since(start);
      long objects = probe.scrape().objects();
      long resident = probe.residentBytes();
      return List.of(
          MasterRow.of(PUT, written, used),
          new MasterRow(READ, Map.of())
              .with(MasterRow.OPS_PER_SECOND, read.keys() / read.seconds())
              .withMicros(read.nanos())
              .with(HICCUP, hiccupMillis),
          new MasterRow(MEMORY, Map.of())
              .with(BYTES_PER_KEY, (double) resident / Math.max(1, objects))
              .with("resident_bytes", (double) resident)
              .with("keys", (double) objects));
    }
  }

  /** Keys among those that were put, and a few of which the put is under way. */
  private KeyBatches loaded(int batch, long underWay) {
    SplittableRandom random = new SplittableRandom(1);
    return () -> {
      long there = Math.max(1, Math.min(next.get(), rig.settings().keys()) - underWay);
      return HeartbeatPool.batch(batch, i -> random.nextLong(there));
    };
  }
}
