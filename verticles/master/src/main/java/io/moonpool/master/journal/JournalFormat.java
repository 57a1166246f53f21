package io.moonpool.master.journal;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The form of a journal file:
 *
 * <pre>
 * file   header, group*
 * header "MOONJRNL" 8 | format 4 | number of the file 8 | CRC32C of these 4
 * group  "MJGR" 4 | length of the records 4 | sequence number 8 | CRC32C 4 | records
 * </pre>
 *
 * <p>A group is what one write and one force made durable, so after a crash at most the last one is
 * incomplete. Its checksum covers length, sequence number and records. The first groups are a
 * snapshot.
 */
final class JournalFormat {
  static final int HEADER_BYTES = 24;
  static final int GROUP_HEADER_BYTES = 20;
  static final int GROUP_MAGIC = 0x4d4a4752;

  private static final long MAGIC = 0x4d4f_4f4e_4a52_4e4cL;
  private static final int FORMAT = 1;
  private static final int CRC_AT = 16;
  private static final String SUFFIX = ".log";
  private static final int DIGITS = 10;

  private JournalFormat() {}

  static String name(long number) {
    return "%0".concat(DIGITS + "d").formatted(number) + SUFFIX;
  }

  /** The number in a file's name, or -1 when it is not the name of a journal file. */
  static long number(String name) {
    if (!name.matches("\\d{" + DIGITS + "}\\.log")) {
      return -1;
    }
    return Long.parseLong(name.substring(0, DIGITS));
  }

  static ByteBuffer header(long number) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(MAGIC).putInt(FORMAT).putLong(number);
    header.putInt(crc(header, 0, header.position()));
    return header.flip();
  }

  static boolean isHeader(ByteBuffer file, long number) {
    return file.limit() >= HEADER_BYTES && file.slice(0, HEADER_BYTES).equals(header(number));
  }

  static int room(List<? extends JournalRecord> records) {
    int room = 0;
    for (JournalRecord record : records) {
      room += RecordCodec.room(record);
    }
    return room;
  }

  /** Leaves room for the header of a group at the start of an empty buffer. */
  static void begin(ByteBuffer group) {
    group.clear().position(GROUP_HEADER_BYTES);
  }

  /** Completes a group whose records are in the buffer, and makes it ready to be written. */
  static void end(ByteBuffer group, long sequence) {
    int length = group.position() - GROUP_HEADER_BYTES;
    group.putInt(0, GROUP_MAGIC).putInt(4, length).putLong(8, sequence);
    group.putInt(CRC_AT, groupCrc(group, 0, length));
    group.flip();
  }

  /** The length of the records of a group that is intact, or -1. */
  static int intact(ByteBuffer file, int at) {
    if (file.limit() - at < GROUP_HEADER_BYTES || file.getInt(at) != GROUP_MAGIC) {
      return -1;
    }
    int length = file.getInt(at + 4);
    if (length < 0
        || length > file.limit() - at - GROUP_HEADER_BYTES
        || file.getInt(at + CRC_AT) != groupCrc(file, at, length)) {
      return -1;
    }
    return length;
  }

  static long sequence(ByteBuffer file, int at) {
    return file.getLong(at + 8);
  }

  private static int groupCrc(ByteBuffer from, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(from.slice(at + 4, CRC_AT - 4));
    crc.update(from.slice(at + GROUP_HEADER_BYTES, length));
    return (int) crc.getValue();
  }

  private static int crc(ByteBuffer from, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(from.slice(at, length));
    return (int) crc.getValue();
  }
}
