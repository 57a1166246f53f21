package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * A node announces itself, at its start and whenever the master asks for a remount.
 *
 * @param nodeId persisted by the node
 * @param startId random per start of the node's process: the same one renews, another one is a new
 *     incarnation
 * @param hostId the physical host; may be empty
 * @param address of the node's REST interface, {@code host:port}; may be empty
 */
public record RegisterNode(UUID nodeId, UUID startId, String hostId, String address) {}
