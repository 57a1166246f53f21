package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.StoredObject;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.protocol.call.DiskObject;
import java.util.List;

/** Takes over what a node found on its disk. */
final class ReportDiskCall extends DiskCall<DiskObject> {
  private final long maxSoftPinMillis;

  ReportDiskCall(
      SegmentMount disk, List<DiskObject> objects, int[] tenants, long maxSoftPinMillis) {
    super(disk, objects, DiskObject::key, tenants);
    this.maxSoftPinMillis = maxSoftPinMillis;
  }

  /** Each removal by pattern that is remembered may have to be matched. */
  @Override
  int weight(MetadataShards shards) {
    return 1 + shards.index().patternFloors();
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    DiskObject object = item(index);
    StoredObject record =
        new StoredObject(
            object.version(),
            object.size(),
            object.checksum(),
            object.dataType(),
            object.hardPinned(),
            // The node's wall clock may have been set back since it was stored.
            Math.min(object.softPinMillis(), maxSoftPinMillis),
            object.group());
    settle(
        index,
        Settled.of(
            shards.index().reportDisk(key, record, disk().slot(), disk().generation(), nowMillis)));
    return true;
  }
}
