package io.moonpool.protocol.call;

import io.moonpool.model.SegmentSpec;
import java.util.List;
import java.util.UUID;

/** Lends segments to the pool. Repeating it for a mounted segment answers its generation. */
public record MountSegments(UUID nodeId, long incarnation, List<SegmentSpec> segments) {}
