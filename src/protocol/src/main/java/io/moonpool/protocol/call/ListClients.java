package io.moonpool.protocol.call;

/** Asks for all registered nodes. */
public record ListClients() {}
