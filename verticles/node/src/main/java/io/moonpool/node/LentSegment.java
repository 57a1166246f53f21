package io.moonpool.node;

import io.moonpool.model.SegmentSpec;
import io.moonpool.transfer.Region;

/**
 * A segment that this node lends.
 *
 * @param spec as it is announced
 * @param region its memory
 */
record LentSegment(SegmentSpec spec, Region region) {}
