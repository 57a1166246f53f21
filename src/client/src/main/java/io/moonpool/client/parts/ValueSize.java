package io.moonpool.client.parts;

/**
 * How large a value is.
 *
 * @param bytes of the whole value
 * @param parts in how many objects they are, beside the one that names these; 0 for a plain object
 */
public record ValueSize(long bytes, int parts) {}
