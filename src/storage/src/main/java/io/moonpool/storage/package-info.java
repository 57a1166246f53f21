/**
 * The LOCAL_DISK tier's store: values in bucket files that survive anything short of losing the
 * disk. Plain blocking Java without an event loop of its own: worker threads call it, one of them
 * at a time for what changes the store, any number for reads.
 *
 * <p>How a node uses it:
 *
 * <ol>
 *   <li>{@link io.moonpool.storage.directory.DiskDirectory#open} and {@link
 *       io.moonpool.storage.BucketStore#open}, which scans; then {@link
 *       io.moonpool.storage.BucketStore#scan} page by page to the master, and {@link
 *       io.moonpool.storage.BucketStore#tombstone} for what the master says is dead.
 *   <li>For objects that come: {@link io.moonpool.storage.BucketStore#newBucket}, {@link
 *       io.moonpool.storage.BucketWriter#append} until {@link
 *       io.moonpool.storage.BucketWriter#shouldCommit}, {@link
 *       io.moonpool.storage.BucketWriter#commit}; only then are they stored.
 *   <li>For readers: {@link io.moonpool.storage.BucketStore#length}, a buffer of {@link
 *       io.moonpool.storage.BucketStore#bufferBytes}, {@link io.moonpool.storage.BucketStore#read}.
 *   <li>When space is short: {@link io.moonpool.storage.BucketStore#chooseVictims}; for each {@link
 *       io.moonpool.storage.BucketStore#beginEviction}, tell the master, {@link
 *       io.moonpool.storage.BucketStore#finishEviction}, or {@link
 *       io.moonpool.storage.BucketStore#cancelEviction} when the master could not be told.
 *   <li>While {@link io.moonpool.storage.BucketStore#writeState} says no: {@link
 *       io.moonpool.storage.BucketStore#probe} every few seconds.
 *   <li>When somebody asks for it: {@link io.moonpool.storage.BucketStore#collect}.
 * </ol>
 */
@NullMarked
package io.moonpool.storage;

import org.jspecify.annotations.NullMarked;
