package io.moonpool.master.drain;

import io.moonpool.master.metadata.LaneUnit;
import io.moonpool.master.metadata.UnitRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The units of a job that have been started and have not ended, and how many more may be: as many
 * as the job's concurrency at nodes, and some more ahead, so that a slot that becomes free is taken
 * again at once. A unit whose end is only being recorded takes no slot. Belongs to the control
 * loop.
 */
final class UnitsUnderWay {
  /** Units that a node has beyond those that may run. Half of them are handed out together. */
  private static final int MAX_AHEAD = 16;

  /** No unit is handed out ahead while those that a node has are of so many bytes together. */
  private static final long MAX_AHEAD_BYTES = 32L << 20;

  /** Most units whose end is being recorded while others take their slots. */
  private static final int MAX_RETURNED = 1_024;

  /**
   * A unit that was started.
   *
   * @param opening which opening of the lanes it comes from
   */
  record Unit(int lane, int opening, LaneUnit started) {
    long bytes() {
      return started.transfer().object().size();
    }

    UnitRef ref() {
      return started.unit();
    }

    UUID task() {
      return started.transfer().taskId();
    }
  }

  private final int maxConcurrency;

  /** Units that may be handed out ahead. */
  private final int ahead;

  /** By task. */
  private final Map<UUID, Unit> units = new HashMap<>();

  /** Those of them that only wait for their end to be recorded. */
  private final Set<UUID> returned = new HashSet<>();

  /** The sizes of the others, which nodes have. */
  private long bytesAtNodes;

  /**
   * None yet.
   *
   * @param mayBeAhead whether one node has all units, and can keep the concurrency by itself
   */
  UnitsUnderWay(int maxConcurrency, boolean mayBeAhead) {
    this.maxConcurrency = maxConcurrency;
    this.ahead = mayBeAhead ? MAX_AHEAD : 0;
  }

  boolean isEmpty() {
    return units.isEmpty();
  }

  /** The tasks of all. */
  Set<UUID> tasks() {
    return Set.copyOf(units.keySet());
  }

  /** How many are under way; what a node has beyond the concurrency is still to come. */
  int active() {
    return returned.size() + Math.min(atNodes(), maxConcurrency);
  }

  private int atNodes() {
    return units.size() - returned.size();
  }

  long count(Predicate<UnitRef> which) {
    return units.values().stream().map(Unit::ref).filter(which).count();
  }

  /**
   * How many more are to be started.
   *
   * @param requested that are being started
   */
  int free(int requested) {
    int free = maxConcurrency - atNodes() - requested;
    boolean few = free + ahead >= (ahead + 1) / 2 && bytesAtNodes < MAX_AHEAD_BYTES;
    return few ? free + ahead : free;
  }

  /**
   * How many bytes of them. Larger units are asked for one by one, as those that were started
   * before tell their size.
   *
   * @param available that the rate of the job allows
   */
  long maxBytes(long available) {
    return ahead == 0
        ? available
        : Math.min(available, Math.max(1, MAX_AHEAD_BYTES - bytesAtNodes));
  }

  /** A unit was started. */
  void add(Unit unit) {
    units.put(unit.task(), unit);
    bytesAtNodes += unit.bytes();
  }

  /** The node of a unit has done its part; answers whether its slot is free now. */
  boolean returned(UUID task) {
    Unit unit = units.get(task);
    if (unit == null || returned.size() >= MAX_RETURNED || !returned.add(task)) {
      return false;
    }
    bytesAtNodes -= unit.bytes();
    return true;
  }

  /** A unit has ended; null when it is none of these. */
  @Nullable Unit ended(UUID task) {
    Unit unit = units.remove(task);
    if (unit != null && !returned.remove(task)) {
      bytesAtNodes -= unit.bytes();
    }
    return unit;
  }
}
