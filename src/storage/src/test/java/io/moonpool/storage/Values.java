package io.moonpool.storage;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.bucket.ValueCrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Values whose every byte depends on version and position, so that no mix-up goes unseen. */
final class Values {
  private Values() {}

  static byte byteAt(long version, long position) {
    long x = (version * 0x9E3779B97F4A7C15L + position) * 0xBF58476D1CE4E5B9L;
    return (byte) (x >>> 56);
  }

  static void fill(MemorySegment memory, long version) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, byteAt(version, i));
    }
  }

  static MemorySegment of(Arena arena, long version, long length) {
    MemorySegment memory = arena.allocate(Math.max(1, length), 4096).asSlice(0, length);
    fill(memory, version);
    return memory;
  }

  /** The position of the first byte that is not the value's, -1 when all are. */
  static long firstWrong(MemorySegment memory, long version, long offset) {
    for (long i = 0; i < memory.byteSize(); i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, i) != byteAt(version, offset + i)) {
        return offset + i;
      }
    }
    return -1;
  }

  static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static ObjectRecord record(String key, long version, long length) {
    return new ObjectRecord(
        "default", key(key), version, length, Checksum.NONE, ObjectDataType.UNKNOWN, 0, false, "");
  }

  static ObjectRecord withCrc(String key, long version, MemorySegment value) {
    ValueCrc crc = ValueCrc.of(value);
    return new ObjectRecord(
        "tenant-a",
        key(key),
        version,
        value.byteSize(),
        new Checksum(ChecksumKind.CRC32C, Integer.toUnsignedLong(crc.value()), crc.blocks()),
        ObjectDataType.KVCACHE,
        1_900_000_000_000L,
        false,
        "group-1");
  }
}
