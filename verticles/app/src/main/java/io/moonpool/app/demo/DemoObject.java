package io.moonpool.app.demo;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An object to store: a key, and bytes that can be had again at any time, to compare with. Any
 * number of threads may read.
 */
public sealed interface DemoObject {
  /** Its key in the pool. */
  String key();

  /** Its size in bytes, at least 1. */
  long size();

  /**
   * Copies a piece of its bytes.
   *
   * @param offset where the piece starts
   * @param target filled completely
   */
  void read(long offset, MemorySegment target) throws IOException;

  /** The bytes of a file. */
  record FileBytes(String key, long size, Path file) implements DemoObject {
    @Override
    public void read(long offset, MemorySegment target) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer buffer = target.asByteBuffer();
        while (buffer.hasRemaining()) {
          if (channel.read(buffer, offset + buffer.position()) < 0) {
            throw new IOException(file + " became shorter meanwhile");
          }
        }
      }
    }
  }

  /** Bytes that a seed determines: word {@code i} is a mix of the seed and {@code i}. */
  record GeneratedBytes(String key, long size, long seed) implements DemoObject {
    private static final ValueLayout.OfLong WORD =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    // The constants of the SplitMix64 generator: every output word depends on every input bit.
    private static final long GAMMA = 0x9e3779b97f4a7c15L;
    private static final long MIX_1 = 0xbf58476d1ce4e5b9L;
    private static final long MIX_2 = 0x94d049bb133111ebL;

    @Override
    public void read(long offset, MemorySegment target) {
      if (offset % Long.BYTES != 0) {
        throw new IllegalArgumentException("pieces start at multiples of 8, not at " + offset);
      }
      long index = offset / Long.BYTES;
      long length = target.byteSize();
      long at = 0;
      for (; at + Long.BYTES <= length; at += Long.BYTES) {
        target.set(WORD, at, word(seed, index++));
      }
      for (long rest = word(seed, index); at < length; at++) {
        target.set(ValueLayout.JAVA_BYTE, at, (byte) rest);
        rest >>>= Byte.SIZE;
      }
    }

    static long word(long seed, long index) {
      long z = seed + (index + 1) * GAMMA;
      z = (z ^ (z >>> 30)) * MIX_1;
      z = (z ^ (z >>> 27)) * MIX_2;
      return z ^ (z >>> 31);
    }
  }
}
