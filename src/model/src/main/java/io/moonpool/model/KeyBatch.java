package io.moonpool.model;

import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of one request, packed into one byte array so that a batch of any size is three objects.
 * A key is a sequence of bytes; text is its UTF-8.
 *
 * <p>Not thread safe while it is built; immutable by convention once it has been handed over.
 */
public final class KeyBatch {
  /** Keys longer than this are refused with {@link ErrorCode#INVALID_KEY}, in bytes. */
  public static final int MAX_KEY_BYTES = 65_535;

  private byte[] bytes;
  private int[] ends;
  private int count;

  /** An empty batch with room for that many keys of about 64 bytes. */
  public KeyBatch(int expectedKeys) {
    this(expectedKeys, Math.multiplyExact(Math.min(expectedKeys, 1 << 16), 64));
  }

  /** An empty batch with room for that many keys of so many bytes together. */
  public KeyBatch(int expectedKeys, int expectedBytes) {
    bytes = new byte[Math.max(64, expectedBytes)];
    ends = new int[Math.max(1, expectedKeys)];
  }

  /** A batch of one key. */
  public static KeyBatch of(String key) {
    KeyBatch batch = new KeyBatch(1);
    batch.add(key);
    return batch;
  }

  /** A batch of those keys, in that order. */
  public static KeyBatch of(List<String> keys) {
    KeyBatch batch = new KeyBatch(keys.size());
    keys.forEach(batch::add);
    return batch;
  }

  /** Appends a key. */
  public void add(String key) {
    byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
    add(utf8, 0, utf8.length);
  }

  /** Appends a key from an array. */
  public void add(byte[] source, int offset, int length) {
    int start = reserve(length);
    System.arraycopy(source, offset, bytes, start, length);
  }

  /**
   * Appends a key of that length whose bytes the caller then writes into {@link #bytes()}.
   *
   * @return where in {@link #bytes()} the key starts; valid until the next append
   */
  public int reserve(int length) {
    int start = count == 0 ? 0 : ends[count - 1];
    int end = Math.addExact(start, length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
    }
    ends[count++] = end;
    return start;
  }

  /** How many keys. */
  public int size() {
    return count;
  }

  /** The array that holds all keys; longer than they are. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where key {@code i} starts in {@link #bytes()}. */
  public int offset(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /** The length of key {@code i} in bytes. */
  public int length(int i) {
    return ends[i] - offset(i);
  }

  /** Key {@code i} as text. */
  public String text(int i) {
    return new String(bytes, offset(i), length(i), StandardCharsets.UTF_8);
  }

  /** A view of the keys as text, decoded at each access. */
  public List<String> asList() {
    return new AbstractList<>() {
      @Override
      public String get(int index) {
        return text(index);
      }

      @Override
      public int size() {
        return count;
      }
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyBatch that && asList().equals(that.asList());
  }

  @Override
  public int hashCode() {
    return asList().hashCode();
  }

  @Override
  public String toString() {
    return asList().toString();
  }
}
