package io.moonpool.protocol.call;

import io.moonpool.model.SegmentEndpoint;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How to reach what is on a node's disk: the address at which the node answers {@link NodeCalls}.
 *
 * @param host name or address
 * @param port of the node's frame server
 */
public record StageEndpoint(String host, int port) {
  /** The name of this way among the ways to reach a segment. */
  public static final String TRANSPORT = "stage";

  private static final int MAX_PORT = 65_535;

  /** As an endpoint of the disk's segment. */
  public SegmentEndpoint toEndpoint() {
    return new SegmentEndpoint(TRANSPORT, (host + ":" + port).getBytes(StandardCharsets.UTF_8));
  }

  /** What an endpoint says; null when it is of another kind or says something else. */
  public static @Nullable StageEndpoint of(SegmentEndpoint endpoint) {
    if (!endpoint.transport().equals(TRANSPORT)) {
      return null;
    }
    String text = new String(endpoint.descriptor(), StandardCharsets.UTF_8);
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return colon < 1 || port < 1 || port > MAX_PORT
          ? null
          : new StageEndpoint(text.substring(0, colon), port);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
