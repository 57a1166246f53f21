package io.moonpool.core.index;

import java.util.function.BooleanSupplier;

/** Removing all replicas on a segment that goes away. */
final class Sweeps {
  private final IndexCore core;

  Sweeps(IndexCore core) {
    this.core = core;
  }

  /** Visits the replicas on the segment and no others. */
  boolean sweep(int slot, long generation, BooleanSupplier mayContinue) {
    for (int r = core.slots.first(slot, generation);
        r != 0;
        r = core.slots.first(slot, generation)) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      int row = core.replicas.object(r);
      boolean complete = core.objects.has(row, ObjectRows.COMPLETE);
      core.dropReplica(r);
      if (!core.settle(row) && complete) {
        core.stats.objectsSwept++;
      }
    }
    return true;
  }
}
