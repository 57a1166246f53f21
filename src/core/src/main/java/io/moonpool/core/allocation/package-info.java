/**
 * Who gets which bytes of which segment: offset allocators, one per mounted memory segment, and the
 * placement of an object's replicas on them.
 *
 * <p>This is the one part of the core that several threads touch. Any metadata loop allocates and
 * frees through {@link io.moonpool.core.allocation.Placement}; the segment owner publishes the
 * snapshots. Nothing here blocks, and the work under an allocator's lock is bounded by a constant.
 */
@NullMarked
package io.moonpool.core.allocation;

import org.jspecify.annotations.NullMarked;
