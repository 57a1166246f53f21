package io.moonpool.storage.bucket;

import io.moonpool.storage.ObjectRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A block of a data file that describes the values before it. 64 bytes say whose it is (magic,
 * bucket id, where the first of its values starts, how many there are); each of up to {@value
 * #MAX_VALUES} values has 64 more (version, offset, length, key hash, CRC32C, length of the key).
 * Each of these ends with its own CRC32C, so that a damaged bit takes one entry, not all.
 *
 * @param memory one block of memory, see {@link Blocks}
 */
record DescriptorBlock(MemorySegment memory) {
  static final int MAX_VALUES = 63;

  private static final long MAGIC = 0x3152_4353_4544_504DL; // "MPDESCR1"
  private static final int ENTRY_BYTES = 64;
  private static final int CRC_AT = 60;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  void clear() {
    memory.fill((byte) 0);
  }

  void setHead(long bucketId, long groupStart, int count) {
    memory.set(LONG, 0, MAGIC);
    memory.set(LONG, 8, bucketId);
    memory.set(LONG, 16, groupStart);
    memory.set(INT, 24, count);
    memory.set(INT, CRC_AT, crc(0));
  }

  void setEntry(int i, IndexEntry entry) {
    ObjectRecord object = entry.object();
    long at = at(i);
    memory.set(LONG, at, object.version());
    memory.set(LONG, at + 8, entry.offset());
    memory.set(LONG, at + 16, object.length());
    memory.set(
        LONG, at + 24, KeyHash.of(object.tenant().getBytes(StandardCharsets.UTF_8), object.key()));
    memory.set(INT, at + 32, entry.crc());
    memory.set(INT, at + 36, object.key().length);
    memory.set(INT, at + CRC_AT, crc(at));
  }

  /** True when the head is as it was written. */
  boolean headIntact() {
    return memory.get(LONG, 0) == MAGIC
        && memory.get(INT, CRC_AT) == crc(0)
        && count() >= 0
        && count() <= MAX_VALUES;
  }

  long bucketId() {
    return memory.get(LONG, 8);
  }

  long groupStart() {
    return memory.get(LONG, 16);
  }

  int count() {
    return memory.get(INT, 24);
  }

  /** True when an entry is as it was written. */
  boolean intact(int i) {
    return memory.get(INT, at(i) + CRC_AT) == crc(at(i));
  }

  long version(int i) {
    return memory.get(LONG, at(i));
  }

  long offset(int i) {
    return memory.get(LONG, at(i) + 8);
  }

  long length(int i) {
    return memory.get(LONG, at(i) + 16);
  }

  int valueCrc(int i) {
    return memory.get(INT, at(i) + 32);
  }

  private static long at(int i) {
    return (long) ENTRY_BYTES * (i + 1);
  }

  private int crc(long at) {
    CRC32C crc = new CRC32C();
    crc.update(memory.asSlice(at, CRC_AT).asByteBuffer());
    return (int) crc.getValue();
  }
}
