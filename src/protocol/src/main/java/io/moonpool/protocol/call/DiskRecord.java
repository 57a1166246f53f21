package io.moonpool.protocol.call;

/**
 * Names what a disk holds of one object.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 */
public record DiskRecord(String tenant, byte[] key, long version) {}
