package io.moonpool.core.index;

/**
 * What a step of a lane came to.
 *
 * @param started units whose transfer was started
 * @param startedBytes the bytes of their objects
 * @param dropped replicas that were removed without a transfer
 * @param droppedBytes the bytes of their objects
 * @param rehomed replicas that were removed from disks, since the units that have moved are on a
 *     disk at their new home
 * @param undone units that had moved and are to be moved again, since their new home went before a
 *     disk had them
 * @param undoneBytes the bytes of their objects
 * @param more there are units that can be started or looked at now
 * @param needsSpace a unit waits for space that eviction could make
 */
public record LaneStep(
    int started,
    long startedBytes,
    long dropped,
    long droppedBytes,
    long rehomed,
    long undone,
    long undoneBytes,
    boolean more,
    boolean needsSpace) {}
