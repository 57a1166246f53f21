package io.moonpool.storage.file;

/**
 * A file of a directory.
 *
 * @param name without the directory
 * @param bytes its size; 0 for directories
 * @param directory true when it is a directory itself
 */
public record FileEntry(String name, long bytes, boolean directory) {}
