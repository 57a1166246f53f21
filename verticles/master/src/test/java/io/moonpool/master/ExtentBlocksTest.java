package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ExtentBlocksTest {
  private static final int CHUNK = 16 << 10;
  private static final int THREADS = 4;
  private static final int CHUNKS = 500;

  private final ExtentBlocks blocks = new ExtentBlocks();

  private List<MemorySegment> some() {
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < CHUNKS; i++) {
      taken.add(blocks.chunk(CHUNK));
    }
    return taken;
  }

  @Test
  void noTwoThreadsGetTheSameMemory() throws Exception {
    TreeMap<Long, MemorySegment> all = new TreeMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      Callable<List<MemorySegment>> take = this::some;
      for (Future<List<MemorySegment>> taken :
          threads.invokeAll(Collections.nCopies(THREADS, take))) {
        for (MemorySegment chunk : taken.get()) {
          assertThat(all.put(chunk.address(), chunk)).isNull();
        }
      }
    }
    assertThat(all).hasSize(THREADS * CHUNKS);
    long end = 0;
    for (MemorySegment chunk : all.values()) {
      assertThat(chunk.byteSize()).isEqualTo(CHUNK);
      assertThat(chunk.address()).isGreaterThanOrEqualTo(end);
      assertThat(chunk.address() % ExtentBlocks.ALIGNMENT).isZero();
      assertThat(chunk.get(ValueLayout.JAVA_LONG, 0)).isZero();
      end = chunk.address() + CHUNK;
    }
  }

  @Test
  void largeChunkHasMemoryOfItsOwn() {
    assertThat(blocks.chunk(3 << 20).byteSize()).isEqualTo(3 << 20);
  }
}
