/**
 * The segments of the pool: who lends them, their life from mount to the end of their unmount, and
 * what each metadata loop knows of them.
 *
 * <p>{@link io.moonpool.core.segment.SegmentRegistry} belongs to the segment owner's loop. Every
 * metadata loop has a {@link io.moonpool.core.segment.SegmentTable} of its own, which it alone
 * touches and which changes only by the {@link io.moonpool.core.segment.SegmentChange}s that the
 * owner sends through the loop's queue.
 */
@NullMarked
package io.moonpool.core.segment;

import org.jspecify.annotations.NullMarked;
