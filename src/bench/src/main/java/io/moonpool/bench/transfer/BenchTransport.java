package io.moonpool.bench.transfer;

import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.UcxOptions;
import java.time.Duration;
import java.util.List;

/**
 * What is measured: a transport, and for {@code ucx} the transports of its library, as in {@code
 * ucx/posix}. Both processes are configured by it.
 *
 * @param name as given on the command line
 */
record BenchTransport(String name) {
  private static final String UCX = "ucx";
  private static final String TCP = "tcp";

  /** The configuration of either side. */
  TransferConfig apply(TransferConfig config) {
    int slash = name.indexOf('/');
    if (slash < 0) {
      return config.withTransports(List.of(name));
    }
    if (!name.substring(0, slash).equals(UCX)) {
      throw new IllegalArgumentException(
          "a transport is tcp, shm, ucx, or ucx/ with transports of UCX behind it, not " + name);
    }
    Duration spin = UcxOptions.DEFAULT.spin();
    return config
        .withTransports(List.of(UCX))
        .withUcx(new UcxOptions(name.substring(slash + 1) + ",self", spin));
  }

  /** Whether its bytes go through sockets, and are compared with plain ones. */
  boolean throughSockets() {
    return name.equals(TCP) || name.equals(UCX + "/" + TCP);
  }
}
