package io.moonpool.core.index;

/**
 * What a call evicted.
 *
 * @param objects of which at least one replica went
 * @param bytes of all replicas that went; not all of it may be free yet
 * @param more the call was stopped by its budget: another one goes on. Otherwise it reached its
 *     goal or there is nothing left that may be evicted now
 */
public record Evicted(long objects, long bytes, boolean more) {}
