package io.moonpool.model;

/**
 * How to reach a segment's memory through one transport.
 *
 * @param transport the transport's name: {@code shm}, {@code tcp} or {@code ucx}; {@link #MOONCAKE}
 *     for what Mooncake's clients use
 * @param descriptor what that transport's {@code register} returned; only it can read it
 */
public record SegmentEndpoint(String transport, byte[] descriptor) {
  /** The name of the way by which Mooncake's clients reach a segment. */
  public static final String MOONCAKE = "mooncake";

  /** Copies the descriptor. */
  public SegmentEndpoint {
    descriptor = descriptor.clone();
  }

  @Override
  public byte[] descriptor() {
    return descriptor.clone();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SegmentEndpoint that
        && transport.equals(that.transport)
        && java.util.Arrays.equals(descriptor, that.descriptor);
  }

  @Override
  public int hashCode() {
    return 31 * transport.hashCode() + java.util.Arrays.hashCode(descriptor);
  }
}
