package io.moonpool.core.segment;

import io.moonpool.core.allocation.AllocatableSegments;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.MooncakeEndpoint;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A segment table without the segments of some nodes, for a writer of Moonpool that could not reach
 * them. The nodes are found once for each change of the table, by a walk over its slots. The thread
 * of the table.
 */
public final class AvoidedNodes implements AllocatableSegments {
  private final SegmentTable table;
  private final BitSet slots = new BitSet();
  private long[] generations = {};
  private long revision = -1;

  /** Avoids nothing yet. */
  public AvoidedNodes(SegmentTable table) {
    this.table = table;
  }

  /**
   * Avoids all segments of the nodes that lend some.
   *
   * @param unreachable generations of segments; those that are not mounted any more avoid nothing,
   *     since their node may have mounted anew. {@link MooncakeEndpoint#ALL_LENT} avoids the memory
   *     of all clients of Mooncake
   * @return this
   */
  public AvoidedNodes of(long[] unreachable) {
    if (!Arrays.equals(unreachable, generations) || table.revision() != revision) {
      generations = unreachable;
      revision = table.revision();
      find();
    }
    return this;
  }

  private void find() {
    slots.clear();
    if (named(MooncakeEndpoint.ALL_LENT)) {
      for (int slot = 0; slot < table.slots(); slot++) {
        slots.set(slot, table.reach(slot).owner() == ClientProtocol.MOONCAKE);
      }
    }
    for (int slot = 0; slot < table.slots(); slot++) {
      if (isAvoided(table.generation(slot))) {
        for (int other = 0; other < table.slots(); other++) {
          if (other == slot || table.sameNode(slot, other)) {
            slots.set(other);
          }
        }
      }
    }
  }

  private boolean isAvoided(long generation) {
    return generation != SegmentTable.NO_GENERATION && named(generation);
  }

  private boolean named(long generation) {
    for (long avoided : generations) {
      if (avoided == generation) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isAllocatable(int slot, long generation) {
    return !slots.get(slot)
        && table.reachableBy(ClientProtocol.MOONPOOL).isAllocatable(slot, generation);
  }
}
