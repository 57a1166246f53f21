package io.moonpool.core.index;

/**
 * What a step of a removing walk came to.
 *
 * @param cursor where the next step goes on, 0 when the walk is done
 * @param objects how many objects were removed
 */
public record Removed(long cursor, long objects) {}
