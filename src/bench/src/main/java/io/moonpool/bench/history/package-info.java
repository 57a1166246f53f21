/**
 * Histories of concurrent operations on few keys, and the judge of whether they are linearizable.
 * The checker runs on the thread that calls it and keeps nothing.
 */
@NullMarked
package io.moonpool.bench.history;

import org.jspecify.annotations.NullMarked;
