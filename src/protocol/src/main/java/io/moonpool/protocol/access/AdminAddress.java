package io.moonpool.protocol.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where an administrative interface listens, and who may use it.
 *
 * @param host an address or a host name of this machine
 * @param port 0 for any free port
 * @param token what callers must send; without one the interface may listen on loopback only
 * @param tls the files of a TLS port; plain text without
 */
public record AdminAddress(
    String host, int port, Optional<AccessToken> token, Optional<TlsFiles> tls) {
  /** The host that needs no token. */
  public static final String LOOPBACK = "127.0.0.1";

  /**
   * Refuses to open an administrative interface to the network without a token.
   *
   * @throws IllegalArgumentException when it would, or the host is unknown; may look up a host name
   */
  public AdminAddress {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(
          "port " + port + " is out of range: use 1 to 65535, or 0 for any free port");
    }
    if (token.isEmpty() && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "an administrative interface may not listen on "
              + host
              + " without a token, since everybody who reaches the port could remove objects: set"
              + " admin_token, or listen on "
              + LOOPBACK);
    }
  }

  /** A plain-text port on loopback, without a token. */
  public static AdminAddress loopback(int port) {
    return new AdminAddress(LOOPBACK, port, Optional.empty(), Optional.empty());
  }

  /** True when a request with that {@code Authorization} header (null for none) may go on. */
  public boolean permits(@org.jspecify.annotations.Nullable String authorization) {
    return token.isEmpty() || token.get().permits(authorization);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "unknown host " + host + ": listen on an address of this machine", e);
    }
  }
}
