package io.moonpool.node.disk;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is handed out in blocks and taken back. Blocks begin at multiples of 4,096 bytes and
 * are multiples of it long, as direct reads need them. First fit, merged when taken back: there are
 * few blocks at a time. Belongs to one thread.
 */
final class StagingMemory {
  /** What blocks are aligned to, in bytes. */
  static final long ALIGNMENT = 4_096;

  /** Answered when no block is large enough. */
  static final long NONE = -1;

  private final MemorySegment memory;

  /** Length by offset; neighbours are merged. */
  private final NavigableMap<Long, Long> free = new TreeMap<>();

  private long freeBytes;

  /**
   * All of it is free.
   *
   * @param memory aligned
   * @throws IllegalArgumentException when it is not aligned
   */
  StagingMemory(MemorySegment memory) {
    if (memory.address() % ALIGNMENT != 0) {
      throw new IllegalArgumentException("the memory must be aligned to " + ALIGNMENT + " bytes");
    }
    this.memory = memory;
    freeBytes = memory.byteSize() - memory.byteSize() % ALIGNMENT;
    free.put(0L, freeBytes);
  }

  private static long rounded(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * Hands out a block.
   *
   * @param bytes at least 1
   * @return where it begins, in bytes from the start of the memory, or {@link #NONE}
   */
  long take(long bytes) {
    long wanted = rounded(bytes);
    Map.Entry<Long, Long> gap = firstGap(wanted);
    if (gap == null) {
      return NONE;
    }
    long offset = gap.getKey();
    long left = gap.getValue() - wanted;
    free.remove(offset);
    if (left > 0) {
      free.put(offset + wanted, left);
    }
    freeBytes -= wanted;
    return offset;
  }

  private Map.@Nullable Entry<Long, Long> firstGap(long bytes) {
    for (Map.Entry<Long, Long> gap : free.entrySet()) {
      if (gap.getValue() >= bytes) {
        return gap;
      }
    }
    return null;
  }

  /**
   * Takes a block back.
   *
   * @param bytes as it was handed out
   */
  void give(long offset, long bytes) {
    long start = offset;
    long length = rounded(bytes);
    freeBytes += length;
    Map.Entry<Long, Long> before = free.floorEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
      length += before.getValue();
    }
    Long after = free.remove(start + length);
    if (after != null) {
      length += after;
    }
    free.put(start, length);
  }

  /** A part of the memory. */
  MemorySegment slice(long offset, long bytes) {
    return memory.asSlice(offset, bytes);
  }

  /** The bytes that are not handed out. */
  long freeBytes() {
    return freeBytes;
  }

  /** The largest block that there could ever be, in bytes. */
  long capacity() {
    return memory.byteSize() - memory.byteSize() % ALIGNMENT;
  }
}
