package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * Asks for work for a node's disk. Answered as soon as there is some, or when the time is over.
 *
 * @param generation of the disk's mount
 * @param maxTasks at most that many offloads, at least 1
 * @param waitMillis how long to wait for work
 */
public record TakeDiskWork(
    UUID nodeId, long incarnation, long generation, int maxTasks, long waitMillis) {}
