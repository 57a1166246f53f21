package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.protocol.call.SettledPromotion;
import java.util.List;

/** Takes over how promotions ended. */
final class SettlePromotionsCall extends DiskCall<SettledPromotion> {
  SettlePromotionsCall(SegmentMount disk, List<SettledPromotion> promotions, int[] tenants) {
    super(disk, promotions, SettledPromotion::key, tenants);
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    SettledPromotion promotion = item(index);
    settle(
        index,
        Settled.of(
            shards
                .index()
                .promotions()
                .settle(
                    key,
                    promotion.version(),
                    promotion.replicaId(),
                    disk().slot(),
                    disk().generation(),
                    promotion.written(),
                    nowMillis)));
    return true;
  }
}
