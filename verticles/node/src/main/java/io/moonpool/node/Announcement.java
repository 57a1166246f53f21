package io.moonpool.node;

/**
 * What pings say and where they go.
 *
 * @param heartbeatPort the master's port for pings; 0 when it has none of its own
 * @param slot the node's liveness slot
 * @param incarnation as the master registered it
 */
record Announcement(int heartbeatPort, int slot, long incarnation) {}
