package io.moonpool.node.disk;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The memory that this node lends, as the master names it. Any thread. */
@FunctionalInterface
public interface LentMemory {
  /**
   * A part of a mounted segment.
   *
   * @param generation of the mount
   * @return null when no segment of that generation is lent, or it has no such part
   */
  @Nullable MemorySegment find(long generation, long offset, long bytes);
}
