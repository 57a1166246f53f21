package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * Asks for work for a node's disk, and tells how the disk is. Answered as soon as there is some, or
 * when the time is over.
 *
 * @param generation of the disk's mount
 * @param usedBytes what the disk tier takes of its file system
 * @param accepting false while the disk takes no objects: it is full, or cannot be written
 * @param maxTasks at most that many offloads, at least 1
 * @param maxPromotions at most about that many promotions; 0 for none
 * @param waitMillis how long to wait for work
 */
public record TakeDiskWork(
    UUID nodeId,
    long incarnation,
    long generation,
    long usedBytes,
    boolean accepting,
    int maxTasks,
    int maxPromotions,
    long waitMillis) {}
