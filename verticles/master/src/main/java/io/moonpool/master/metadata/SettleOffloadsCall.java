package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.protocol.call.SettledOffload;
import java.util.List;

/** Takes over how offloads ended. */
final class SettleOffloadsCall extends DiskCall<SettledOffload> {
  SettleOffloadsCall(SegmentMount disk, List<SettledOffload> offloads, int[] tenants) {
    super(disk, offloads, SettledOffload::key, tenants);
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    SettledOffload offload = item(index);
    settle(
        index,
        Settled.of(
            shards
                .index()
                .settleOffload(
                    key,
                    offload.version(),
                    disk().slot(),
                    disk().generation(),
                    offload.stored(),
                    nowMillis)));
    return true;
  }
}
