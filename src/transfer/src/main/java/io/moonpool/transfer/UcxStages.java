package io.moonpool.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A few buffers through which bytes of heap memory go, since the library cannot reach that. Belongs
 * to the loop that asks. Freed only when nothing refers to them any more, so that an access that
 * the library could not be kept from never hits other memory.
 */
final class UcxStages {
  private static final int STAGES = 16;

  private final Arena arena = Arena.ofAuto();
  private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
  private int made;

  /** A buffer of {@link UcxTransfer#PIECE_BYTES}; null when all are in use. */
  @Nullable MemorySegment take() {
    MemorySegment stage = free.poll();
    if (stage == null && made < STAGES) {
      made++;
      stage = arena.allocate(UcxTransfer.PIECE_BYTES, 4096);
    }
    return stage;
  }

  /** The buffer is used no more. */
  void giveBack(MemorySegment stage) {
    free.push(stage);
  }
}
