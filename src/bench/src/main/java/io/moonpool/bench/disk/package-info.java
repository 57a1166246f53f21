/**
 * How fast values are read from a disk through the store, beside fio on the same files. Blocks the
 * thread that calls it; the reads themselves run on threads of their own, one each reader.
 */
@NullMarked
package io.moonpool.bench.disk;

import org.jspecify.annotations.NullMarked;
