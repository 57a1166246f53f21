package io.moonpool.model;

import java.util.UUID;

/**
 * A segment as the master knows it.
 *
 * @param spec as announced
 * @param nodeId the node that lends it
 * @param generation unique per mount and never reused by a master; part of every location
 * @param status its life
 * @param ownerState the liveness of its node
 * @param usedBytes allocated, quarantined extents included
 */
public record SegmentInfo(
    SegmentSpec spec,
    UUID nodeId,
    long generation,
    SegmentStatus status,
    ClientState ownerState,
    long usedBytes) {}
