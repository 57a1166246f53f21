package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A segment of another process, as a transport reaches it.
 *
 * @param segmentId the segment
 * @param generation the mount generation; the peer refuses any other
 * @param size bytes; transfers outside are refused before anything is sent
 * @param endpoint the transport's own descriptor
 */
public record RemoteSegment(UUID segmentId, long generation, long size, SegmentEndpoint endpoint) {
  /** Null when the range lies within the segment, else what is wrong. */
  @Nullable StoreException checkRange(long offset, long length) {
    return Lent.inRange(offset, length, size)
        ? null
        : new StoreException(
            ErrorCode.TRANSFER_FAIL,
            "bytes " + offset + " + " + length + " are outside the segment of " + size);
  }
}
