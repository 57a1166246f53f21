package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * Has what is on a memory segment and nowhere else written to its node's disk. The segment must
 * take no new objects any more: unmount it with a grace period first.
 *
 * @param generation of the memory segment's mount
 */
public record OffloadSegment(UUID nodeId, long incarnation, long generation) {}
