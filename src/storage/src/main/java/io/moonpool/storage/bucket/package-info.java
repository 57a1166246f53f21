/**
 * The parts of the bucket store: file formats, where each object is, open files, tombstones. For
 * {@link io.moonpool.storage.BucketStore} alone. Blocks: worker threads only.
 *
 * <p><b>A bucket</b> is a data file and an index file of the same number. The data file holds
 * values, each from a multiple of 4,096 bytes on, so that it can be read around the page cache into
 * aligned memory. After up to 63 values comes one <em>descriptor block</em> of 4,096 bytes that
 * says bucket, version, key hash, position, length and CRC32C of each of them: the data file proves
 * by itself that it is what the index says. A header in front of every value would cost a block
 * each, doubling a value of 4,096 bytes; descriptors cost 1.6 %, and every byte of the file is
 * written in order. The keys themselves (up to 65,535 bytes) are in the index only.
 *
 * <p>The index file holds all records and ends with the CRC32C of the whole. It is complete or
 * absent: written aside, synced after the data was, renamed, its directory synced. A data file
 * without an index was never acknowledged.
 */
@NullMarked
package io.moonpool.storage.bucket;

import org.jspecify.annotations.NullMarked;
