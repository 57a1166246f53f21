package io.moonpool.storage.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.ObjectRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class IndexCursorTest {
  private static final long BUCKET = 0x1_0000_0002L;

  private static List<IndexEntry> entries() {
    return List.of(
        new IndexEntry(
            new ObjectRecord(
                "default",
                new byte[] {0, -1, 10},
                5,
                4096,
                new Checksum(ChecksumKind.CRC32C, 0xFFFF_FFFFL, new int[0]),
                ObjectDataType.KVCACHE,
                0,
                true,
                ""),
            0,
            -1),
        new IndexEntry(
            new ObjectRecord(
                "tenant",
                "key".getBytes(),
                Long.MAX_VALUE,
                (2 << 20) + 1,
                new Checksum(ChecksumKind.MANIFEST, 7, new int[] {1, -2, 3}),
                ObjectDataType.UNKNOWN,
                1_900_000_000_000L,
                false,
                "group"),
            8192,
            12));
  }

  private static byte[] encoded() {
    return IndexFormat.encode(BUCKET, 4 << 20, entries());
  }

  private static List<IndexEntry> walk(byte[] bytes) throws DamagedIndexException {
    IndexCursor cursor = IndexCursor.over(bytes, BUCKET);
    List<IndexEntry> found = new ArrayList<>();
    while (cursor.advance()) {
      found.add(new IndexEntry(cursor.record(), cursor.offset(), cursor.crc()));
    }
    return found;
  }

  @Test
  void readsWhatWasWritten() throws DamagedIndexException {
    assertThat(walk(encoded())).isEqualTo(entries());
    IndexCursor cursor = IndexCursor.over(encoded(), BUCKET);
    assertThat(cursor.count()).isEqualTo(2);
    assertThat(cursor.dataLength()).isEqualTo(4 << 20);
    cursor.advance();
    assertThat(cursor.hardPinned()).isTrue();
    assertThat(cursor.keyHash())
        .isEqualTo(KeyHash.of("default".getBytes(), new byte[] {0, -1, 10}));
  }

  @Test
  void noticesEveryFlippedBit() {
    byte[] good = encoded();
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> walk(bad)).isInstanceOf(DamagedIndexException.class);
    }
  }

  @Test
  void noticesEveryCut() {
    byte[] good = encoded();
    for (int length = 0; length < good.length; length++) {
      byte[] bad = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> walk(bad)).isInstanceOf(DamagedIndexException.class);
    }
  }

  @Test
  void isNotTheIndexOfAnotherBucket() {
    assertThatThrownBy(() -> IndexCursor.over(encoded(), BUCKET + 1))
        .isInstanceOf(DamagedIndexException.class)
        .hasMessageContaining("0000000100000002");
  }

  /** Even with a right checksum, nonsense ends in an error and never outside the array. */
  @Test
  void survivesNonsenseUnderARightChecksum() {
    Random random = new Random(11);
    byte[] good = encoded();
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bad = good.clone();
      for (int change = 0; change <= random.nextInt(4); change++) {
        bad[24 + random.nextInt(bad.length - 28)] = (byte) random.nextInt();
      }
      CRC32C crc = new CRC32C();
      crc.update(bad, 0, bad.length - 4);
      ByteBuffer.wrap(bad)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(bad.length - 4, (int) crc.getValue());
      try {
        walk(bad);
      } catch (DamagedIndexException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }
}
