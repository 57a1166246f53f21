package io.moonpool.protocol.call;

/**
 * An object that its node is to read from its disk and write into memory that the master reserved.
 *
 * @param target where the bytes go: on the node itself if it has room
 * @param grantMillis how long the target may be written since it was handed out, see {@link
 *     DiskWork#waitedMillis}; the reservation ends then
 */
public record PromotionTask(DiskObject object, ReplicaTarget target, long grantMillis) {}
