package io.moonpool.protocol.call;

import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import java.util.List;

/**
 * Objects that wait to be fetched.
 *
 * @param batchId to be given back by {@link ReleaseStaged} once they are fetched
 * @param leaseMillis how long from the answer on they stay where they are
 * @param memory the segment to fetch from; it is no part of the pool
 * @param offsets where in it each value starts, in bytes, in the order of the request
 */
public record StagedObjects(
    long batchId, long leaseMillis, SegmentInfo memory, List<Outcome<Long>> offsets) {}
