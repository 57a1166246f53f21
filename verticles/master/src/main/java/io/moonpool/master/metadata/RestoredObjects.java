package io.moonpool.master.metadata;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.StartedWrite;
import io.moonpool.core.index.WriteTerms;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import java.util.List;
import java.util.UUID;

/**
 * Fills the indexes of all metadata loops before they run. Belongs to the thread that starts the
 * master; what it did is seen by the loops since they are deployed afterwards.
 */
public final class RestoredObjects {
  private static final UUID WRITER = new UUID(0, 1);
  private static final WriteTerms TERMS =
      new WriteTerms(WRITER, 1, SoftPinAction.PRESERVE, 0, false, ObjectDataType.UNKNOWN);

  private final MetadataOwners owners;
  private final ExtentList extents = new ExtentList();
  private final StartedWrite started = new StartedWrite();

  RestoredObjects(MetadataOwners owners) {
    this.owners = owners;
  }

  /** Tells all loops of segments. */
  public void apply(List<SegmentChange> changes) {
    owners.all().forEach(shards -> shards.apply(changes));
  }

  /** An empty list for the space of the next object. */
  public ExtentList extents() {
    extents.clear();
    return extents;
  }

  /**
   * Adds a complete object in the space that {@link #extents} was filled with.
   *
   * @throws StoreException when there is such an object already, or the size is out of range
   */
  public void add(ObjectKey key, long size, Checksum checksum) {
    MetadataShards shards = owners.all().get(owners.ownerOfShard(key.shard()));
    long nowMillis = shards.nowMillis();
    ErrorCode code = shards.index().putStart(key, size, TERMS, null, extents, nowMillis, started);
    if (code == ErrorCode.OK) {
      code = shards.index().end(key, WRITER, started.version(), checksum, nowMillis);
    }
    if (code != ErrorCode.OK) {
      throw new StoreException(code);
    }
  }
}
