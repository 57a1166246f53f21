package io.moonpool.node;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/**
 * Who this node is.
 *
 * @param nodeId persisted, the same over restarts
 * @param startId random per start
 * @param name prefix of its segments' names
 * @param hostId its physical host
 */
record NodeIdentity(UUID nodeId, UUID startId, String name, String hostId) {
  /** The identity of a node that starts now. Asks the system for the host's name: may block. */
  static NodeIdentity of(UUID nodeId, NodeConfig config) {
    String host = config.name().isEmpty() || config.hostId().isEmpty() ? hostName() : "";
    return new NodeIdentity(
        nodeId,
        UUID.randomUUID(),
        config.name().isEmpty() ? host : config.name(),
        config.hostId().isEmpty() ? host : config.hostId());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
