package io.moonpool.master.request;

import io.moonpool.master.MasterConfig;
import io.moonpool.protocol.access.AccessToken;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.access.TlsFiles;
import java.util.Optional;

/** Where a master's configuration puts its administrative interfaces. */
public final class AdminAddresses {
  private AdminAddresses() {}

  /**
   * The address of HTTP.
   *
   * @throws IllegalArgumentException when the configuration would open it to everybody, or names
   *     TLS files that cannot be read
   */
  public static AdminAddress http(MasterConfig config) {
    return address(config, config.httpPort());
  }

  /**
   * The address of gRPC.
   *
   * @throws IllegalArgumentException as for {@link #http}
   */
  public static AdminAddress grpc(MasterConfig config) {
    return address(config, config.grpcPort());
  }

  private static AdminAddress address(MasterConfig config, int port) {
    Optional<AccessToken> token =
        config.adminToken().isEmpty()
            ? Optional.empty()
            : Optional.of(AccessToken.of(config.adminToken()));
    return new AdminAddress(
        config.effectiveAdminHost(), port, token, TlsFiles.of(config.tlsCert(), config.tlsKey()));
  }
}
