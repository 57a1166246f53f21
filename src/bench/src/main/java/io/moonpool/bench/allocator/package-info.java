/**
 * How well the space of a segment is used, and what an allocation costs. Plain Java on the thread
 * that asks.
 */
@NullMarked
package io.moonpool.bench.allocator;

import org.jspecify.annotations.NullMarked;
