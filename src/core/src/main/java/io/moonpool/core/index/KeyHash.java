package io.moonpool.core.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash of a key within its tenant. Its low bits choose the shard, and with it the metadata
 * loop; the others place the key in the shard's table.
 *
 * <p>Eight bytes a step: the running hash takes the 128-bit product of itself and the next word,
 * folded to 64 bits. The same on every run and machine. Any thread may call it.
 */
public final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SEED = 0x9E37_79B9_7F4A_7C15L;
  private static final long STEP = 0xD1B5_4A32_D192_ED03L;
  private static final long LAST = 0xAEF1_7502_108E_F2D9L;

  private KeyHash() {}

  /** The hash of {@code length} bytes from {@code offset} as a key of that tenant. */
  public static long of(int tenant, byte[] bytes, int offset, int length) {
    long hash = SEED ^ (tenant * STEP) ^ Long.rotateLeft(length * LAST, 32);
    int at = offset;
    int end = offset + length;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      hash = fold(hash ^ (long) LONG.get(bytes, at), STEP);
    }
    if (at < end) {
      long rest = 0;
      for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
        rest |= (bytes[at] & 0xffL) << shift;
      }
      hash = fold(hash ^ rest, LAST);
    }
    // A last avalanche, since single bits of the hash are used on their own.
    hash = (hash ^ (hash >>> 32)) * SEED;
    hash = (hash ^ (hash >>> 29)) * LAST;
    return hash ^ (hash >>> 32);
  }

  /** The shard of a key with that hash, 0 to {@link ObjectIndex#SHARDS} - 1. */
  public static int shard(long hash) {
    return (int) hash & (ObjectIndex.SHARDS - 1);
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
