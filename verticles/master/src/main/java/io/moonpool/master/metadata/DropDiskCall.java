package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.DiskRecord;
import java.util.List;

/** Forgets what a node is about to evict from its disk. */
final class DropDiskCall extends DiskCall<DiskRecord> {
  DropDiskCall(SegmentMount disk, List<DiskRecord> records, int[] tenants) {
    super(disk, records, DiskRecord::key, tenants);
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    ErrorCode code =
        shards
            .index()
            .dropDisk(key, item(index).version(), disk().slot(), disk().generation(), nowMillis);
    boolean unknown = code == ErrorCode.OBJECT_NOT_FOUND || code == ErrorCode.REPLICA_NOT_FOUND;
    settle(index, Settled.of(unknown ? ErrorCode.OK : code)); // what is not known may go
    return true;
  }
}
