/**
 * The object index of the master: which objects exist, where their replicas are, who may read,
 * write or evict them, and when the space that they leave may be used again.
 *
 * <p>{@link io.moonpool.core.index.ObjectIndex} is the way in. Each metadata event loop has one,
 * for its part of the 1,024 object shards, and is the only thread that ever calls it: nothing here
 * is thread safe, knows a clock, or starts a thread. Time, extents and hashes are arguments; freed
 * extents and mail for shards of other loops are handed to {@link
 * io.moonpool.core.index.IndexEffects}.
 *
 * <p>Objects and replicas are rows of packed longs and keys are bytes, in pages outside of the
 * heap; lists run through the rows. So the heap's object graph does not grow with the number of
 * keys, and everything that visits several objects follows a list of just those.
 */
@NullMarked
package io.moonpool.core.index;

import org.jspecify.annotations.NullMarked;
