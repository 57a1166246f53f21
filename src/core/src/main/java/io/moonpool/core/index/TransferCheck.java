package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import java.util.List;

/**
 * Whether a transfer may start, and what it needs.
 *
 * @param code OK when it may
 * @param size bytes of the object
 * @param missing the targets that have no replica yet, in the order of the wish: each needs an
 *     extent
 */
public record TransferCheck(ErrorCode code, long size, List<SegmentMount> missing) {
  static TransferCheck refused(ErrorCode code) {
    return new TransferCheck(code, 0, List.of());
  }
}
