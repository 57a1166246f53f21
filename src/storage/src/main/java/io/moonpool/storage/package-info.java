/**
 * The LOCAL_DISK tier's store: values in bucket files that survive anything short of losing the
 * disk. Plain blocking Java without an event loop of its own: worker threads call it, one of them
 * at a time for what changes the store, any number for reads.
 */
@NullMarked
package io.moonpool.storage;

import org.jspecify.annotations.NullMarked;
