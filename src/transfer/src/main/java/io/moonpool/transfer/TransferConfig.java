package io.moonpool.transfer;

import java.time.Duration;

/**
 * How this process moves bytes.
 *
 * @param host address that the data server listens at
 * @param port its port; 0 for any free one
 * @param advertisedHost name or address under which peers reach it
 * @param socketBufferBytes kernel buffers of each connection, in each direction
 * @param connectTimeout how long a connection may take until the peer has answered on it
 * @param operationTimeout how long a piece of a transfer may take once it is under way
 */
public record TransferConfig(
    String host,
    int port,
    String advertisedHost,
    int socketBufferBytes,
    Duration connectTimeout,
    Duration operationTimeout) {
  /** Checks the values. */
  public TransferConfig {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("a port is 0 to 65535, not " + port);
    }
  }

  /** Loopback, any port. */
  public static TransferConfig loopback() {
    return new TransferConfig(
        "127.0.0.1", 0, "127.0.0.1", 4 << 20, Duration.ofSeconds(3), Duration.ofSeconds(10));
  }
}
