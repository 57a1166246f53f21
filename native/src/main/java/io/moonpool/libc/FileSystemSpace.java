package io.moonpool.libc;

/**
 * The space of a file system.
 *
 * @param totalBytes its size
 * @param availableBytes what an unprivileged process may still use
 */
public record FileSystemSpace(long totalBytes, long availableBytes) {}
