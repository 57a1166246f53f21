package io.moonpool.storage.bucket;

import io.moonpool.storage.ObjectRecord;

/**
 * A record of an index file.
 *
 * @param object what is stored
 * @param offset where its value starts in the data file, a multiple of a block
 * @param crc the store's own checksum of the value, see {@link ValueCrc}
 */
public record IndexEntry(ObjectRecord object, long offset, int crc) {}
