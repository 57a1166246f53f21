package io.moonpool.protocol.call;

/**
 * A node's incarnation at this master.
 *
 * @param incarnation part of every later message of the node
 * @param slot the node's liveness slot, part of every ping
 * @param activeTtlMillis after so long without a ping the node becomes SUSPECTED
 */
public record NodeRegistration(long incarnation, int slot, long activeTtlMillis) {}
