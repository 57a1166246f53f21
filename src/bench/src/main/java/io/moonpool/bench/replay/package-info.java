/**
 * Replays traces of inference requests against a master: which blocks of a prompt are there, what
 * asking costs, what eviction takes away. Each client is a thread that waits for its calls.
 */
@NullMarked
package io.moonpool.bench.replay;

import org.jspecify.annotations.NullMarked;
