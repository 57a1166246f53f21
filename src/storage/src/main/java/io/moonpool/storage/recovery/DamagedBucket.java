package io.moonpool.storage.recovery;

/**
 * A bucket that was set aside.
 *
 * @param name its files' names without what they end with
 * @param reason what is wrong with it
 * @param bytes what its files take
 */
public record DamagedBucket(String name, String reason, long bytes) {}
