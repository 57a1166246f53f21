package io.moonpool.protocol.call;

/**
 * A node says that it lives, on the main port; see {@link io.moonpool.protocol.heartbeat} for the
 * port of its own.
 *
 * @param slot the node's liveness slot, from {@link NodeRegistration}
 * @param incarnation from {@link NodeRegistration}
 * @param sequence counts the node's pings; answered unchanged
 */
public record Ping(int slot, long incarnation, long sequence) {}
