package io.moonpool.master.metadata;

/**
 * A disk that is mounted.
 *
 * @param slot of its segment
 * @param generation of its mount
 */
public record DiskMount(int slot, long generation) {}
