package io.moonpool.transfer;

import java.lang.foreign.MemorySegment;

/** What a transfer asks of the memory of its caller. */
final class LocalMemory {
  /** A thread that no confined memory belongs to. */
  private static final Thread ANY = Thread.ofPlatform().unstarted(() -> {});

  private LocalMemory() {}

  /**
   * Checks that any thread may use the memory, and write to it for a get.
   *
   * @throws IllegalArgumentException when it may not: a bug of the caller
   */
  static void check(boolean put, MemorySegment local) {
    if (!local.isAccessibleBy(ANY)) {
      throw new IllegalArgumentException(
          "transfers need memory of a shared, automatic or global arena, not of a confined one");
    }
    if (!put && local.isReadOnly()) {
      throw new IllegalArgumentException("the memory that a get fills is read-only");
    }
  }
}
