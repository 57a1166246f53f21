package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Measures masters, row by row. Blocks the thread that calls it. */
public final class MasterBench {
  private static final List<Double> OVERFILL_RATIOS = List.of(0.05, 0.5);

  /** Rows of calls to a master that has all the keys of the settings. */
  private static final Set<RowGroup> OF_CALLS =
      EnumSet.of(RowGroup.BATCH, RowGroup.SINGLE, RowGroup.GRPC);

  /** Memory for so many times the keys that are put first, and for keys that are put later. */
  private static final double LOADED_FILL = 0.1;

  private static final long KEYS_OF_PUT_ROWS = 5_000_000;

  private final MasterRig rig;
  private final MasterSettings settings;
  private final ReferenceFigures reference;

  /**
   * A run.
   *
   * @param vertx for the clients; with at least one event loop more than the settings have clients
   * @param reference what is to stand beside the figures
   * @param progress is told what goes on, in sentences
   */
  public MasterBench(
      MasterSettings settings,
      ReferenceFigures reference,
      Vertx vertx,
      MasterStarter starter,
      Consumer<String> progress) {
    this.settings = settings;
    this.reference = reference;
    this.rig = new MasterRig(vertx, settings, starter, progress);
  }

  /**
   * Measures all that the settings name.
   *
   * @throws IOException when a master does not start, or its figures cannot be read
   * @throws IllegalStateException when a call fails that must not
   */
  public MasterFigures run() throws IOException, InterruptedException {
    List<MasterRow> rows = new ArrayList<>();
    if (settings.groups().contains(RowGroup.LOAD)
        || settings.groups().stream().anyMatch(OF_CALLS::contains)) {
      rows.addAll(loaded());
    }
    if (settings.groups().contains(RowGroup.OVERFILL)) {
      for (double ratio : OVERFILL_RATIOS) {
        rows.addAll(new OverfillRun(rig, ratio).run());
      }
    }
    if (settings.groups().contains(RowGroup.EVICT)) {
      rows.addAll(new EvictionRun(rig).run());
    }
    if (settings.groups().contains(RowGroup.TOUCH)) {
      for (long keys : settings.poolKeys()) {
        rows.addAll(new TouchRun(rig, keys).run());
      }
    }
    return new MasterFigures(settings, rows, reference);
  }

  private List<MasterRow> loaded() throws IOException, InterruptedException {
    HeartbeatPool pool =
        new HeartbeatPool(settings.keys() + KEYS_OF_PUT_ROWS, MasterRig.LENDERS, 1, LOADED_FILL);
    List<MasterRow> rows = new ArrayList<>();
    boolean more = settings.groups().stream().anyMatch(OF_CALLS::contains);
    long keys = settings.keys() + (more ? KEYS_OF_PUT_ROWS : 0);
    try (StartedMaster master = rig.starter().start(Map.of(), keys, null);
        Lenders _ = rig.lenders(master.target(), pool)) {
      AtomicLong next = new AtomicLong();
      rig.progress().accept("load of " + settings.keys() + " keys");
      rows.addAll(new LoadRun(rig, master.target(), next).run());
      next.set(settings.keys());
      CallRows calls = new CallRows(rig, master, next);
      if (settings.groups().contains(RowGroup.BATCH)) {
        rows.addAll(calls.frames("batch", settings.batch()));
      }
      if (settings.groups().contains(RowGroup.SINGLE)) {
        rows.addAll(calls.frames("single", 1));
      }
      if (settings.groups().contains(RowGroup.GRPC)) {
        rows.addAll(calls.grpc("grpc batch", settings.batch()));
        rows.addAll(calls.grpc("grpc single", 1));
      }
    }
    return rows;
  }
}
