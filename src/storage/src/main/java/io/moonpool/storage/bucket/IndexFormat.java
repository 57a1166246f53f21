package io.moonpool.storage.bucket;

import io.moonpool.model.ChecksumKind;
import io.moonpool.storage.ObjectRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of an index file, little-endian: a head (magic, bucket id, length of the data file,
 * number of records), the records in the order of their values, and the CRC32C of all that.
 *
 * <p>A record: version, offset, length (8 bytes each), the store's CRC32C (4), checksum kind, data
 * type, pins (1 each, and one of padding), checksum value (8), number of block sums (4), then the
 * lengths of tenant, group and key (2 each), the block sums (4 each), tenant, group and key; with a
 * soft pin, the time at which it ends (8).
 */
final class IndexFormat {
  static final long MAGIC = 0x3158_4544_4E49_504DL; // "MPINDEX1"
  static final int HEAD_BYTES = 28;
  static final int TAIL_BYTES = 4;
  static final int FIXED_BYTES = 50;
  static final int SOFT_PIN = 1;
  static final int HARD_PIN = 2;
  static final int SOFT_PIN_BYTES = 8;

  private IndexFormat() {}

  static byte[] encode(long bucketId, long dataLength, List<IndexEntry> entries) {
    long bytes = HEAD_BYTES + TAIL_BYTES;
    for (IndexEntry entry : entries) {
      bytes += bytesOf(entry.object());
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(MAGIC).putLong(bucketId).putLong(dataLength).putInt(entries.size());
    for (IndexEntry entry : entries) {
      put(out, entry);
    }
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position());
    out.putInt((int) crc.getValue());
    return out.array();
  }

  static long bytesOf(ObjectRecord object) {
    return FIXED_BYTES
        + (long) object.checksum().blocks().length * Integer.BYTES
        + utf8(object.tenant()).length
        + utf8(object.group()).length
        + object.key().length
        + (object.softPinUntilMillis() == 0 ? 0 : SOFT_PIN_BYTES);
  }

  private static void put(ByteBuffer out, IndexEntry entry) {
    ObjectRecord object = entry.object();
    byte[] tenant = utf8(object.tenant());
    byte[] group = utf8(object.group());
    int pins =
        (object.softPinUntilMillis() == 0 ? 0 : SOFT_PIN) | (object.hardPinned() ? HARD_PIN : 0);
    ChecksumKind kind = object.checksum().kind();
    out.putLong(object.version()).putLong(entry.offset()).putLong(object.length());
    out.putInt(entry.crc());
    out.put((byte) kind.number()).put((byte) object.dataType().number()).put((byte) pins);
    out.put((byte) 0);
    out.putLong(object.checksum().value()).putInt(object.checksum().blocks().length);
    out.putShort((short) tenant.length)
        .putShort((short) group.length)
        .putShort((short) object.key().length);
    for (int block : object.checksum().blocks()) {
      out.putInt(block);
    }
    out.put(tenant).put(group).put(object.key());
    if (object.softPinUntilMillis() != 0) {
      out.putLong(object.softPinUntilMillis());
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
