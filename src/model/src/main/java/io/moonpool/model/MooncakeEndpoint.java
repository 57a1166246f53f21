package io.moonpool.model;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How Mooncake's clients reach a memory segment, as one of the ways that its owner announces when
 * it mounts the segment. A segment of a Mooncake client has this way only; a node of Moonpool that
 * also serves Mooncake's transport announces it beside its own.
 *
 * @param base the address of the segment's first byte, not 0: locations are answered as base plus
 *     offset. These addresses carry no generation, so a node of Moonpool never uses one again for
 *     another mount while it lives
 * @param protocol of the transfer, such as {@code tcp}
 * @param endpoint where the owner is reached by that protocol; for {@code tcp} host and port of the
 *     handshake
 */
public record MooncakeEndpoint(long base, String protocol, String endpoint) {
  /** The protocol that works everywhere. */
  public static final String TCP = "tcp";

  /**
   * Stands, where a writer names generations of segments that it cannot reach, for all memory that
   * Mooncake's clients lend.
   */
  public static final long ALL_LENT = -1;

  private static final int HEXADECIMAL = 16;
  private static final int MAX_PORT = 65_535;

  /** As one of the ways to reach a segment. */
  public SegmentEndpoint toEndpoint() {
    String text = Long.toHexString(base) + " " + protocol + " " + endpoint;
    return new SegmentEndpoint(SegmentEndpoint.MOONCAKE, text.getBytes(StandardCharsets.UTF_8));
  }

  /** What an endpoint says; null when it is of another kind or says something else. */
  public static @Nullable MooncakeEndpoint of(SegmentEndpoint endpoint) {
    if (!endpoint.transport().equals(SegmentEndpoint.MOONCAKE)) {
      return null;
    }
    String[] parts = new String(endpoint.descriptor(), StandardCharsets.UTF_8).split(" ", 3);
    if (parts.length < 3) {
      return null;
    }
    try {
      long base = Long.parseUnsignedLong(parts[0], HEXADECIMAL);
      return base == 0 ? null : new MooncakeEndpoint(base, parts[1], parts[2]);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** True when the owner is reached by {@link #TCP}, at a host and a port. */
  public boolean isTcp() {
    return protocol.equals(TCP) && port() > 0 && !host().isEmpty();
  }

  /**
   * The host of the endpoint, an address of IPv6 without its brackets; all of it without a port.
   */
  public String host() {
    int colon = endpoint.lastIndexOf(':');
    String host = colon < 0 ? endpoint : endpoint.substring(0, colon);
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** The port of the endpoint; 0 when it has none. */
  public int port() {
    int colon = endpoint.lastIndexOf(':');
    try {
      int port = colon < 0 ? 0 : Integer.parseInt(endpoint.substring(colon + 1));
      return port >= 1 && port <= MAX_PORT ? port : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
