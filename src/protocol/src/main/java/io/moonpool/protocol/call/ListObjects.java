package io.moonpool.protocol.call;

/**
 * Lists objects of a tenant page by page, in no particular order; objects that exist throughout the
 * listing appear exactly once.
 *
 * @param pattern a {@link java.util.regex.Pattern}, searched for in the key; empty matches all.
 *     Look-behind, comments, classes within classes and repetitions of what may be empty are
 *     refused
 * @param cursor 0 for the first page, then {@link ObjectPage#nextCursor()}
 * @param limit at most so many objects, 1 to 10,000
 */
public record ListObjects(String tenant, String pattern, long cursor, int limit) {}
