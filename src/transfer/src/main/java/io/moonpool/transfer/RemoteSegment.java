package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import java.util.UUID;

/**
 * A segment of another process, as a transport reaches it.
 *
 * @param generation the mount generation; the peer refuses any other
 * @param size bytes; transfers outside are refused before anything is sent
 */
public record RemoteSegment(UUID segmentId, long generation, long size, SegmentEndpoint endpoint) {}
