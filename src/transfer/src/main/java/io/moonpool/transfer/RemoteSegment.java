package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A segment of another process, as one transport reaches it. Immutable. */
public final class RemoteSegment {
  private final UUID segmentId;
  private final long generation;
  private final long size;
  private final SegmentEndpoint endpoint;

  /** The endpoint decoded, once it has been. A plain field: who reads null decodes it again. */
  private @Nullable TcpEndpoint address;

  /** The same for an endpoint of Mooncake's. */
  private @Nullable MooncakeEndpoint mooncake;

  /**
   * A segment.
   *
   * @param generation the mount generation; the peer refuses any other
   * @param size bytes; transfers outside are refused before anything is sent
   * @param endpoint the transport's own descriptor
   */
  public RemoteSegment(UUID segmentId, long generation, long size, SegmentEndpoint endpoint) {
    this.segmentId = segmentId;
    this.generation = generation;
    this.size = size;
    this.endpoint = endpoint;
  }

  /** The segment's id. */
  public UUID segmentId() {
    return segmentId;
  }

  /** The mount generation. */
  public long generation() {
    return generation;
  }

  /** Its size in bytes. */
  public long size() {
    return size;
  }

  /** The transport's own descriptor. */
  public SegmentEndpoint endpoint() {
    return endpoint;
  }

  /**
   * Where its data server listens, for an endpoint of {@code tcp}.
   *
   * @throws IllegalArgumentException when the endpoint is none of this version
   */
  TcpEndpoint address() {
    TcpEndpoint known = address;
    if (known == null) {
      known = TcpEndpoint.decode(endpoint);
      address = known;
    }
    return known;
  }

  /** How a client of Mooncake announced it; null for endpoints of other kinds. */
  @Nullable MooncakeEndpoint mooncake() {
    MooncakeEndpoint known = mooncake;
    if (known == null) {
      known = MooncakeEndpoint.of(endpoint);
      mooncake = known;
    }
    return known;
  }

  /** Null when the range lies within the segment, else what is wrong. */
  @Nullable StoreException checkRange(long offset, long length) {
    return Lent.inRange(offset, length, size)
        ? null
        : new StoreException(
            ErrorCode.TRANSFER_FAIL,
            "bytes " + offset + " + " + length + " are outside the segment of " + size);
  }
}
