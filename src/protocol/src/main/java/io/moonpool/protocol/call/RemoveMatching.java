package io.moonpool.protocol.call;

/**
 * Removes every object of a tenant whose key matches.
 *
 * @param pattern a {@link java.util.regex.Pattern}, searched for in the key; empty matches all
 * @param force also those under a lease
 */
public record RemoveMatching(String tenant, String pattern, boolean force) {}
