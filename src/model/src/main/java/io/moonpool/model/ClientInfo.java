package io.moonpool.model;

import java.util.UUID;

/**
 * A node as the master knows it.
 *
 * @param nodeId persisted by the node, the same over its restarts
 * @param incarnation new at each start of the node
 * @param hostId the physical host; empty when unknown
 * @param address where its REST interface listens, {@code host:port}; empty when it has none
 * @param state its liveness
 * @param silentMillis observed time since it was last heard from
 * @param segments how many segments it has mounted
 */
public record ClientInfo(
    UUID nodeId,
    long incarnation,
    String hostId,
    String address,
    ClientState state,
    long silentMillis,
    int segments) {}
