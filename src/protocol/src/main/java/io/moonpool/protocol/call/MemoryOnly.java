package io.moonpool.protocol.call;

import java.util.List;

/**
 * What would be lost with a memory segment now.
 *
 * @param objects that are on no disk, and in no memory that stays
 * @param bytes of these objects
 * @param writes to the segment that are in progress and may still end
 * @param first some of the objects
 */
public record MemoryOnly(long objects, long bytes, long writes, List<DiskRecord> first) {
  /** Copies the list. */
  public MemoryOnly {
    first = List.copyOf(first);
  }
}
