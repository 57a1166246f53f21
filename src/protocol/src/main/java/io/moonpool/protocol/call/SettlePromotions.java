package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * Tells how promotions ended. Per item: OK; INVALID_VERSION when the object was removed or
 * overwritten meanwhile; REPLICA_NOT_FOUND when the promotion was given up. There is nothing to be
 * done about either.
 *
 * @param generation of the disk's mount
 */
public record SettlePromotions(
    UUID nodeId, long incarnation, long generation, List<SettledPromotion> promotions) {}
