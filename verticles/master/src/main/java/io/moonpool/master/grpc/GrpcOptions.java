package io.moonpool.master.grpc;

import io.moonpool.protocol.access.AdminAddress;

/**
 * Configuration of the gRPC interface.
 *
 * @param address where it listens and who may use it
 * @param maxMessageBytes larger requests are refused
 */
public record GrpcOptions(AdminAddress address, int maxMessageBytes) {
  /** Room for a batch of 1,000 keys of 4 KiB. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = 4 << 20;

  /** The default limit. */
  public static GrpcOptions of(AdminAddress address) {
    return new GrpcOptions(address, DEFAULT_MAX_MESSAGE_BYTES);
  }
}
