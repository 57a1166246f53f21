package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.DiskRecord;
import java.util.List;

/** Forgets what a disk will never report again. */
final class AckDroppedCall extends DiskCall<DiskRecord> {
  AckDroppedCall(SegmentMount disk, List<DiskRecord> records, int[] tenants) {
    super(disk, records, DiskRecord::key, tenants);
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    shards.acknowledge(disk(), key, item(index).version());
    settle(index, Settled.of(ErrorCode.OK));
    return true;
  }
}
