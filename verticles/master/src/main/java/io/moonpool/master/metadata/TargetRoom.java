package io.moonpool.master.metadata;

/**
 * Room for what is to be drained.
 *
 * @param generation of the memory segment's mount
 * @param freeBytes that are free in it now
 * @param expectedBytes what it would get, when units are spread by free space
 */
public record TargetRoom(long generation, long freeBytes, long expectedBytes) {}
