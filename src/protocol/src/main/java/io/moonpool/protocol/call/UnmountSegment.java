package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * Takes a segment back. Unknown segments are a success.
 *
 * @param graceMillis how long its replicas stay readable; 0 removes them now
 */
public record UnmountSegment(UUID nodeId, long incarnation, UUID segmentId, long graceMillis) {}
