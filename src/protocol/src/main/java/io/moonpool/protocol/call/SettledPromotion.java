package io.moonpool.protocol.call;

/**
 * How a {@link PromotionTask} ended.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param replicaId of the target
 * @param written the target holds the object; otherwise nothing writes to it any more
 */
public record SettledPromotion(
    String tenant, byte[] key, long version, long replicaId, boolean written) {}
