package io.moonpool.core.index;

import java.util.function.BooleanSupplier;

/** Removing all replicas on a segment that goes away. */
final class Sweeps {
  private final IndexCore core;

  Sweeps(IndexCore core) {
    this.core = core;
  }

  /** Visits the replicas on the segment, and once around the shards to find them. */
  boolean sweep(int slot, long generation, BooleanSupplier mayContinue) {
    Slots slots = core.slots;
    while (slots.replicas(slot) > 0 && slots.generation(slot) == generation) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      int at = slots.sweepCursor(slot) % core.shardCount();
      Shard shard = core.shardAt(at);
      int replica = shard.firstInSlot(slot);
      if (replica == 0) {
        slots.sweepCursor(slot, at + 1);
        continue;
      }
      int row = shard.replicas.object(replica);
      boolean complete = shard.objects.has(row, ObjectRows.COMPLETE);
      core.dropReplica(shard, replica);
      if (!core.settle(shard, row) && complete) {
        core.stats.objectsSwept++;
      }
    }
    return true;
  }
}
