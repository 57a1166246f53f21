package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The buffer into which the connections of one event loop read headers and small payloads. They
 * share it, since each consumes what it read before it returns to the loop.
 */
final class LoopScratch {
  /** Bytes of one read; so many small frames arrive with one system call. */
  static final int BYTES = 64 << 10;

  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
  private final ByteBuf buffer = Unpooled.wrappedBuffer(memory.asByteBuffer());

  /** The buffer, empty, with a reference for the caller. */
  ByteBuf lend() {
    return buffer.clear().retain();
  }

  /** True when this buffer is the scratch, whose bytes {@link #memory} holds at its indices. */
  @SuppressWarnings("ReferenceEquality") // The same buffer, not one with equal bytes.
  boolean is(ByteBuf other) {
    return other == buffer;
  }

  MemorySegment memory() {
    return memory;
  }
}
