package io.moonpool.storage.bucket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of a tenant and key, written into descriptor blocks: it never changes. Equal hashes
 * prove nothing; whoever needs certainty compares the keys.
 */
public final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private KeyHash() {}

  /** The hash of a tenant and key that lie in an array. */
  public static long of(byte[] bytes, int tenantAt, int tenantLength, int keyAt, int keyLength) {
    return add(add(0, bytes, tenantAt, tenantLength), bytes, keyAt, keyLength);
  }

  /** The hash of a tenant, as UTF-8, and a key. */
  public static long of(byte[] tenant, byte[] key) {
    return add(add(0, tenant, 0, tenant.length), key, 0, key.length);
  }

  private static long add(long seed, byte[] bytes, int at, int length) {
    long hash = mix(seed ^ (length * MULTIPLIER));
    int end = at + length;
    int position = at;
    for (; position + Long.BYTES <= end; position += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(bytes, position));
    }
    long tail = 0;
    for (int shift = 0; position < end; position++, shift += Byte.SIZE) {
      tail |= (bytes[position] & 0xffL) << shift;
    }
    return mix(hash ^ tail);
  }

  /** A bijection of 64 bits in which every bit depends on every other. */
  private static long mix(long value) {
    long x = (value ^ (value >>> 32)) * MULTIPLIER;
    x = (x ^ (x >>> 29)) * 0xBF58476D1CE4E5B9L;
    return x ^ (x >>> 32);
  }
}
