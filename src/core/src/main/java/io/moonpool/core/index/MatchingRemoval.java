package io.moonpool.core.index;

import io.moonpool.core.floor.FloorMap;
import io.moonpool.model.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The removal of all objects of a loop whose keys are chosen, in steps. Those that {@link
 * ObjectIndex#remove} would refuse stay.
 *
 * <p>It reaches what it cannot see, too. Records on disks that are not there are dead by the {@link
 * PatternFloor} that it leaves, and what nodes are writing to disks for objects that are gone
 * already gets floors.
 *
 * <p>End it, or give it up. The thread of its {@link ObjectIndex} is the only one that uses it.
 */
public final class MatchingRemoval {
  private final IndexCore core;
  private final Removals removals;
  private final ObjectKey key = new ObjectKey();
  private final KeyPredicate keys;
  private final PatternFloor floor;
  private final boolean force;

  /** The next row to visit. */
  private int row = 1;

  /** What was being written to disks when all rows had been visited, and how much of it is done. */
  private @Nullable List<Offloads.Offload> offloads;

  private int offload;
  private long removed;
  private boolean refused;

  MatchingRemoval(IndexCore core, Removals removals, KeyPredicate keys, boolean force) {
    this.core = core;
    this.removals = removals;
    this.keys = keys;
    this.force = force;
    floor = core.floors.patterns().begin(keys.lasting());
  }

  /**
   * A step.
   *
   * @param mayContinue asked before each row
   * @return true when everything has been visited
   */
  public boolean step(long nowMillis, BooleanSupplier mayContinue) {
    core.time(nowMillis);
    boolean done = visitRows(mayContinue) && visitOffloads(mayContinue);
    core.groups.deliverSome();
    return done;
  }

  private boolean visitRows(BooleanSupplier mayContinue) {
    // An object keeps its row for life, so what is there throughout is visited exactly once.
    for (; row < core.objects.limit(); row++) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      int flags = core.objects.flags(row) & (ObjectRows.USED | ObjectRows.SHADOW);
      if (flags == ObjectRows.USED && isChosen(row)) {
        remove();
      }
    }
    return true;
  }

  private boolean isChosen(int object) {
    int address = core.objects.keyAddress(object);
    return keys.test(
        core.keys.tenant(address), core.keys.key(address), 0, core.keys.keyLength(address));
  }

  private void remove() {
    long hash = core.hash(row);
    ErrorCode code =
        core.objects.has(row, ObjectRows.COMPLETE)
            ? removals.remove(row, hash, force)
            : ErrorCode.REPLICA_IS_NOT_READY;
    switch (code) {
      case OK -> removed++;
      case OBJECT_NOT_FOUND -> {}
      default -> {
        refused |= code == ErrorCode.PERSISTENT_FAIL;
        if (core.objects.version(row) < floor.below()) {
          floor.survivors().raise(hash, core.objects.version(row));
        }
      }
    }
  }

  /**
   * An object that has gone with its memory while its node was writing it to the disk is in no row,
   * but a record of it may be on the disk.
   */
  private boolean visitOffloads(BooleanSupplier mayContinue) {
    if (offloads == null) {
      offloads = core.offloads.allOpen();
    }
    for (; offload < offloads.size(); offload++) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Offloads.Offload open = offloads.get(offload);
      if (core.offloads.isOpen(open.hash, open.disk)
          && open.version < floor.below()
          && keys.test(open.tenant, open.key, 0, open.key.length)
          && !isKnown(open)) {
        raise(open);
      }
    }
    return true;
  }

  private boolean isKnown(Offloads.Offload open) {
    int object = core.find(key.set(open.key, 0, open.key.length, open.tenant, open.hash));
    return object != 0
        && core.objects.has(object, ObjectRows.COMPLETE)
        && core.objects.version(object) == open.version;
  }

  private void raise(Offloads.Offload open) {
    if (core.floors.refused()) {
      refused = true;
      return;
    }
    core.floors.raiseFor(
        open.disk,
        open.version,
        open.hash,
        open.version + 1,
        open.tenant,
        open.key,
        0,
        open.key.length);
  }

  /** How many objects it has removed. */
  public long removed() {
    return removed;
  }

  /**
   * What it has passed over so far: by the hash of a key, the version that lives on. Not changed
   * any more once everything has been visited.
   */
  public FloorMap survivors() {
    return floor.survivors();
  }

  /**
   * Whether {@link #end} would leave a floor for disks now, which the {@link #survivors} are part
   * of. When everything has been visited.
   */
  public boolean leavesFloor() {
    return !core.floors.needing().isEmpty();
  }

  /**
   * Ends it, when everything has been visited.
   *
   * @return what must be durable before the caller gets its answer, since disks are not there;
   *     empty when all disks are
   */
  public Optional<PatternFloor> end(long nowMillis) {
    core.time(nowMillis);
    if (core.floors.refused() && core.floors.anyNeeds()) {
      refused = true;
    }
    if (refused) {
      core.floors.patterns().abandon(floor);
      return Optional.empty();
    }
    return core.floors.patterns().commit(floor, core.floors.needing())
        ? Optional.of(floor)
        : Optional.empty();
  }

  /**
   * Whether it was ended without a floor that it needs, or has passed over objects, because floors
   * were refused: its caller may repeat it.
   */
  public boolean isRefused() {
    return refused;
  }

  /** Ends it before everything has been visited: what it has not removed stays. */
  public void abandon() {
    core.floors.patterns().abandon(floor);
  }
}
