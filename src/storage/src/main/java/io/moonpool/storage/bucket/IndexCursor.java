package io.moonpool.storage.bucket;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectDataType;
import io.moonpool.storage.ObjectRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Walks the records of an index file whose checksum is right. A scan of many files makes no objects
 * for records that it only counts: {@link #record} is for those that somebody wants to see.
 *
 * <p>One thread.
 */
public final class IndexCursor {
  private final byte[] bytes;
  private final ByteBuffer in;
  private final long bucketId;
  private final long dataLength;
  private final int count;
  private int seen;
  private int at;
  private int next = IndexFormat.HEAD_BYTES;

  private IndexCursor(byte[] bytes, ByteBuffer in) {
    this.bytes = bytes;
    this.in = in;
    this.bucketId = in.getLong(8);
    this.dataLength = in.getLong(16);
    this.count = in.getInt(24);
  }

  /**
   * Checks the bytes of an index file.
   *
   * @param bucketId the bucket that the file's name says
   * @throws DamagedIndexException when they are not the index of that bucket as it was written
   */
  public static IndexCursor over(byte[] bytes, long bucketId) throws DamagedIndexException {
    if (bytes.length < IndexFormat.HEAD_BYTES + IndexFormat.TAIL_BYTES) {
      throw new DamagedIndexException("an index of " + bytes.length + " bytes is cut off");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getLong(0) != IndexFormat.MAGIC) {
      throw new DamagedIndexException("the file does not start like an index");
    }
    int end = bytes.length - IndexFormat.TAIL_BYTES;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    if ((int) crc.getValue() != in.getInt(end)) {
      throw new DamagedIndexException("the index does not match its checksum");
    }
    IndexCursor cursor = new IndexCursor(bytes, in);
    if (cursor.bucketId != bucketId) {
      throw new DamagedIndexException(
          "it is the index of bucket " + BucketFiles.hex(cursor.bucketId));
    }
    if (cursor.count < 0 || cursor.dataLength < 0) {
      throw new DamagedIndexException("the index counts " + cursor.count + " records");
    }
    return cursor;
  }

  /** The length of the data file in bytes. */
  public long dataLength() {
    return dataLength;
  }

  /** How many records there are. */
  public int count() {
    return count;
  }

  /**
   * Goes to the next record.
   *
   * @return false after the last one
   * @throws DamagedIndexException when a record reaches beyond the file
   */
  public boolean advance() throws DamagedIndexException {
    int end = bytes.length - IndexFormat.TAIL_BYTES;
    if (seen == count) {
      if (next != end) {
        throw new DamagedIndexException("the index has bytes after its last record");
      }
      return false;
    }
    at = next;
    if (at + IndexFormat.FIXED_BYTES > end) {
      throw new DamagedIndexException("record " + seen + " of the index is cut off");
    }
    long size =
        IndexFormat.FIXED_BYTES
            + (long) Integer.BYTES * blocks()
            + tenantLength()
            + groupLength()
            + keyLength()
            + softPinBytes();
    if (blocks() < 0 || size > end - at || keyLength() == 0) {
      throw new DamagedIndexException("record " + seen + " of the index is cut off");
    }
    if (length() < 0
        || offset() < 0
        || offset() % Blocks.BYTES != 0
        || offset() > dataLength - length()) {
      throw new DamagedIndexException("record " + seen + " of the index is not in the data file");
    }
    next = (int) (at + size);
    seen++;
    return true;
  }

  /** The version of the current record. */
  public long version() {
    return in.getLong(at);
  }

  /** Where the value of the current record starts in the data file. */
  public long offset() {
    return in.getLong(at + 8);
  }

  /** The bytes of the value of the current record. */
  public long length() {
    return in.getLong(at + 16);
  }

  /** The store's own checksum of the value of the current record. */
  public int crc() {
    return in.getInt(at + 24);
  }

  /** True when the current record has a hard pin. */
  public boolean hardPinned() {
    return (bytes[at + 30] & IndexFormat.HARD_PIN) != 0;
  }

  /** The hash of tenant and key of the current record. */
  public long keyHash() {
    return KeyHash.of(bytes, tenantAt(), tenantLength(), keyAt(), keyLength());
  }

  /** Tenant and key of the current record in a form that can be compared. */
  public TenantKey tenantKey() {
    return new TenantKey(copy(tenantAt(), tenantLength()), copy(keyAt(), keyLength()));
  }

  /** The length of the key of the current record in bytes. */
  public int keyLength() {
    return Short.toUnsignedInt(in.getShort(at + 48));
  }

  /**
   * The current record.
   *
   * @throws DamagedIndexException when a newer version wrote values that this one does not know
   */
  public ObjectRecord record() throws DamagedIndexException {
    int[] sums = new int[blocks()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = in.getInt(at + IndexFormat.FIXED_BYTES + i * Integer.BYTES);
    }
    int pins = bytes[at + 30];
    try {
      return new ObjectRecord(
          text(tenantAt(), tenantLength()),
          copy(keyAt(), keyLength()),
          version(),
          length(),
          new Checksum(ChecksumKind.ofNumber(bytes[at + 28]), in.getLong(at + 32), sums),
          ObjectDataType.ofNumber(bytes[at + 29]),
          softPinBytes() == 0 ? 0 : in.getLong(keyAt() + keyLength()),
          (pins & IndexFormat.HARD_PIN) != 0,
          text(tenantAt() + tenantLength(), groupLength()));
    } catch (IllegalArgumentException e) {
      throw new DamagedIndexException("record " + (seen - 1) + ": " + e.getMessage());
    }
  }

  private int softPinBytes() {
    return (bytes[at + 30] & IndexFormat.SOFT_PIN) == 0 ? 0 : IndexFormat.SOFT_PIN_BYTES;
  }

  private int blocks() {
    return in.getInt(at + 40);
  }

  private int tenantLength() {
    return Short.toUnsignedInt(in.getShort(at + 44));
  }

  private int groupLength() {
    return Short.toUnsignedInt(in.getShort(at + 46));
  }

  private int tenantAt() {
    return at + IndexFormat.FIXED_BYTES + blocks() * Integer.BYTES;
  }

  private int keyAt() {
    return tenantAt() + tenantLength() + groupLength();
  }

  private byte[] copy(int from, int length) {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  private String text(int from, int length) {
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }
}
