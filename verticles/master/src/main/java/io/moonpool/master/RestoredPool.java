package io.moonpool.master;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.core.segment.SegmentUpdate;
import io.moonpool.master.metadata.RestoredObjects;
import io.moonpool.model.Checksum;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import java.util.UUID;

/**
 * Where a {@link MasterRestore} puts what it knows. Segments first, then the objects on them.
 * Belongs to the thread that restores, and is of no use once the master runs.
 *
 * <p>A restored segment is there and not served until its node mounts it; see {@link
 * SegmentRegistry#restore}. Nodes have {@code client_active_ttl_ms} and {@code
 * client_suspicion_ttl_ms} together for that, from the start of the master on the observed clock.
 */
public final class RestoredPool {
  private final SegmentRegistry segments;
  private final RestoredObjects objects;
  private final long confirmByMillis;

  RestoredPool(SegmentRegistry segments, RestoredObjects objects, long confirmByMillis) {
    this.segments = segments;
    this.objects = objects;
    this.confirmByMillis = confirmByMillis;
  }

  /**
   * A memory segment that a node had lent.
   *
   * @return its mount in this life of the master
   * @throws StoreException when it is no segment, or is there already
   */
  public SegmentMount segment(UUID nodeId, SegmentSpec spec) {
    SegmentUpdate<Outcome<SegmentMount>> update = segments.restore(nodeId, spec, confirmByMillis);
    objects.apply(update.changes());
    return update.result().get();
  }

  /**
   * An object that was complete, with one replica somewhere on a segment.
   *
   * @param key pointed at the key by the caller; not kept
   * @param size in bytes
   * @throws StoreException when there is such an object already, or the size is out of range
   * @throws IllegalStateException when the segment has no room for it
   */
  public void object(ObjectKey key, long size, Checksum checksum, SegmentMount on) {
    AllocationResult space =
        segments
            .placement()
            .current()
            .allocateOn(
                on.slot(), on.generation(), size, (slot, generation) -> true, objects.extents());
    if (space != AllocationResult.ALLOCATED) {
      throw new IllegalStateException(
          "no room for " + size + " bytes on the restored segment in slot " + on.slot());
    }
    objects.add(key, size, checksum);
  }
}
