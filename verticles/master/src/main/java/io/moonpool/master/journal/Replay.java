package io.moonpool.master.journal;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.nio.ByteBuffer;

/**
 * Reads a journal file into a state. What a crash left of the last group is cut off; anything else
 * that is not as it was written is damage, and damage is refused: to go on without records would
 * bring back what they say is dead.
 */
final class Replay {
  private final ByteBuffer file;
  private final String description;
  private final JournalState state;
  private int end;
  private long sequence;
  private int snapshotEnd;

  private Replay(ByteBuffer file, String description, JournalState state) {
    this.file = file;
    this.description = description;
    this.state = state;
  }

  /**
   * Reads all of a file.
   *
   * @param description what people call the file
   * @throws StoreException FILE_READ_FAIL when it is damaged
   */
  static Replay of(ByteBuffer file, long number, String description, JournalState state) {
    Replay replay = new Replay(file, description, state);
    replay.run(number);
    return replay;
  }

  /** Where the last intact group ends: what is behind it is to be cut off. */
  int end() {
    return end;
  }

  /** The sequence number of the last intact group. */
  long sequence() {
    return sequence;
  }

  /** Where the snapshot ends. */
  int snapshotEnd() {
    return snapshotEnd;
  }

  private void run(long number) {
    if (!JournalFormat.isHeader(file, number)) {
      throw damaged(0, "its header is not that of a journal file of this version");
    }
    end = JournalFormat.HEADER_BYTES;
    while (end < file.limit()) {
      int length = JournalFormat.intact(file, end);
      if (length < 0 || JournalFormat.sequence(file, end) != sequence + 1) {
        checkTorn();
        return;
      }
      apply(end + JournalFormat.GROUP_HEADER_BYTES, length);
      end += JournalFormat.GROUP_HEADER_BYTES + length;
      sequence++;
    }
    if (snapshotEnd == 0) {
      throw damaged(end, "it ends before its snapshot does");
    }
  }

  private void apply(int at, int length) {
    ByteBuffer records = file.slice(at, length);
    while (records.hasRemaining()) {
      int before = records.position();
      JournalRecord record = RecordCodec.read(records);
      if (record == null) {
        throw new StoreException(
            ErrorCode.FILE_READ_FAIL,
            "the journal "
                + description
                + " has a record at offset "
                + (at + before)
                + " that this version does not know: start the version that wrote it");
      }
      state.apply(record);
      if (record instanceof JournalRecord.SnapshotEnded) {
        snapshotEnd = at + length;
      }
    }
  }

  /** What is not intact is the end of a write that a crash cut short, if nothing follows it. */
  private void checkTorn() {
    if (snapshotEnd == 0) {
      throw damaged(end, "its snapshot is damaged there");
    }
    for (int at = end + 1; at <= file.limit() - JournalFormat.GROUP_HEADER_BYTES; at++) {
      if (file.getInt(at) == JournalFormat.GROUP_MAGIC
          && JournalFormat.intact(file, at) >= 0
          && JournalFormat.sequence(file, at) > sequence) {
        throw damaged(end, "intact records follow at offset " + at);
      }
    }
  }

  private StoreException damaged(int offset, String what) {
    return new StoreException(
        ErrorCode.FILE_READ_FAIL,
        "the journal "
            + description
            + " is damaged at offset "
            + offset
            + ": "
            + what
            + ". It says which objects on disks were removed, so the master does not start without"
            + " it. Restore the file from a copy; or, when removed objects may return, cut it off"
            + " at that offset (above 0) or move the journal directory away");
  }
}
