package io.moonpool.storage.bucket;

/**
 * Where the value of an object is.
 *
 * @param bucket the number of its bucket in this process, see {@link Bucket#number}
 * @param offset where it starts in the data file, a multiple of a block
 * @param length bytes
 * @param crc the store's own checksum, see {@link ValueCrc}
 * @param hardPinned true when its bucket must not be evicted while it is there
 */
public record Location(int bucket, long offset, long length, int crc, boolean hardPinned) {}
