package io.moonpool.protocol.call;

/**
 * What a disk may hold of an object that was removed or overwritten. The node gives it back as it
 * was told, in the order told, when it is gone for good.
 *
 * @param version of the object
 * @param keyHash the master's name of the key
 * @param floor the version below which all records of the key are dead
 */
public record DeadRecord(long version, long keyHash, long floor) {}
