package io.moonpool.node.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Blocks never overlap, none is lost, all merge again. */
class StagingMemoryTest {
  private static final int PAGES = 64;

  private record Block(long offset, long bytes) {}

  private static MemorySegment memory() {
    return Arena.ofAuto().allocate(PAGES * StagingMemory.ALIGNMENT + 100, StagingMemory.ALIGNMENT);
  }

  @Test
  void randomBlocks() {
    SplittableRandom random = new SplittableRandom(5);
    StagingMemory staging = new StagingMemory(memory());
    List<Block> blocks = new ArrayList<>();
    boolean[] taken = new boolean[PAGES];
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(3) > 0) {
        long bytes = 1 + random.nextLong(8 * StagingMemory.ALIGNMENT);
        long offset = staging.take(bytes);
        if (offset == StagingMemory.NONE) {
          refused++;
        } else {
          mark(taken, offset, bytes, true);
          blocks.add(new Block(offset, bytes));
        }
      } else if (!blocks.isEmpty()) {
        Block block = blocks.remove(random.nextInt(blocks.size()));
        mark(taken, block.offset, block.bytes, false);
        staging.give(block.offset, block.bytes);
      }
    }
    blocks.forEach(block -> staging.give(block.offset, block.bytes));

    assertThat(refused).isPositive();
    assertThat(staging.freeBytes()).isEqualTo(staging.capacity());
    assertThat(staging.take(staging.capacity())).isZero();
    assertThat(staging.take(1)).isEqualTo(StagingMemory.NONE);
  }

  private static void mark(boolean[] taken, long offset, long bytes, boolean now) {
    assertThat(offset % StagingMemory.ALIGNMENT).isZero();
    for (long at = offset; at < offset + bytes; at += StagingMemory.ALIGNMENT) {
      int page = (int) (at / StagingMemory.ALIGNMENT);
      assertThat(taken[page]).isNotEqualTo(now);
      taken[page] = now;
    }
  }

  @Test
  void memoryMustBeAligned() {
    assertThatThrownBy(() -> new StagingMemory(memory().asSlice(8)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
