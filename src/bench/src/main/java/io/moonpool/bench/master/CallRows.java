package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.MasterUnderTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Each kind of call for a while, with a given number of keys a call. */
final class CallRows {
  private static final long WARM_UP_MILLIS = 2_000;

  private final MasterRig rig;
  private final StartedMaster master;
  private final AtomicLong next;

  /**
   * Rows of a master that has keys.
   *
   * @param next the number of the next key that is put; all before it are there
   */
  CallRows(MasterRig rig, StartedMaster master, AtomicLong next) {
    this.rig = rig;
    this.master = master;
    this.next = next;
  }

  /** The rows of the main port. */
  List<MasterRow> frames(String prefix, int batch) throws IOException, InterruptedException {
    return rows(prefix, batch, () -> rig.calls(master.target()));
  }

  /** The rows of gRPC. */
  List<MasterRow> grpc(String prefix, int batch) throws IOException, InterruptedException {
    return rows(
        prefix,
        batch,
        () -> new GrpcOperations(rig.vertx(), master.target().host(), master.grpcPort()));
  }

  private List<MasterRow> rows(String prefix, int batch, Supplier<Operation.Calls> calls)
      throws IOException, InterruptedException {
    List<MasterRow> rows = new ArrayList<>();
    for (Operation.Kind kind : Operation.Kind.values()) {
      String name = prefix + " " + kind.name().toLowerCase(Locale.ROOT);
      rig.progress().accept(name);
      rows.add(row(name, kind, batch, calls));
    }
    return rows;
  }

  private MasterRow row(
      String name, Operation.Kind kind, int batch, Supplier<Operation.Calls> calls)
      throws IOException, InterruptedException {
    long there = next.get();
    ClosedLoop load =
        new ClosedLoop(
            rig.vertx(),
            rig.settings().clients(),
            () -> kind.over(calls.get()),
            client ->
                kind == Operation.Kind.PUT
                    ? KeyBatches.fresh(next, Long.MAX_VALUE, batch)
                    : KeyBatches.random(there, batch, client));
    MasterUnderTest target = master.target();
    try (MasterProbe probe = new MasterProbe(target)) {
      load.start();
      TimeUnit.MILLISECONDS.sleep(Math.min(WARM_UP_MILLIS, rig.settings().seconds() * 500L));
      MasterProbe.Moment start = probe.moment();
      load.mark();
      TimeUnit.SECONDS.sleep(rig.settings().seconds());
      load.stop();
      ClosedLoop.Seen seen = load.await();
      return MasterRow.of(name, seen, probe.since(start));
    }
  }
}
