package io.moonpool.protocol.call;

/**
 * Removes every object of a tenant whose key matches.
 *
 * @param pattern a {@link java.util.regex.Pattern}, searched for in the key; empty matches all.
 *     Look-behind, comments, classes within classes and repetitions of what may be empty are
 *     refused
 * @param force also those under a lease
 */
public record RemoveMatching(String tenant, String pattern, boolean force) {}
