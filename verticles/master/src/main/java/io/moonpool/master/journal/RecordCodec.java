package io.moonpool.master.journal;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records as bytes: a type, then the components in order, numbers big-endian, texts with their
 * length in front. A type keeps its number and its form for good; a change is a new type.
 */
final class RecordCodec {
  private static final byte EPOCH_STARTED = 1;
  private static final byte EPOCH_EXTENDED = 2;
  private static final byte TENANT_NUMBERED = 3;
  private static final byte DISK_MOUNTED = 4;
  private static final byte DISK_ABSENT = 5;
  private static final byte DISK_SCANNED = 6;
  private static final byte DISK_VOIDED = 7;
  private static final byte DISK_FORGOTTEN = 8;
  private static final byte FLOORS_ADDED = 9;
  private static final byte FLOORS_ACKNOWLEDGED = 10;
  private static final byte DISK_KEPT = 11;
  private static final byte EARLIER_FLOORS_KEPT = 12;
  private static final byte SNAPSHOT_ENDED = 13;
  private static final byte DRAIN_JOB_KEPT = 14;
  private static final byte DRAIN_JOB_FORGOTTEN = 15;
  private static final byte SEGMENT_HELD = 16;
  private static final byte SEGMENT_RELEASED = 17;

  private static final byte PATTERN_FLOOR_ADDED = 18;

  private static final int FIXED_BYTES = 128;

  private RecordCodec() {}

  /** At least as many bytes as a record takes. */
  static int room(JournalRecord record) {
    return switch (record) {
      case JournalRecord.TenantNumbered tenant -> FIXED_BYTES + 3 * tenant.name().length();
      case JournalRecord.DiskMounted disk -> FIXED_BYTES + 3 * disk.name().length();
      case JournalRecord.DiskKept kept -> FIXED_BYTES + 3 * kept.disk().name().length();
      case JournalRecord.FloorsAdded added -> FIXED_BYTES + 16 * added.floors().size();
      case JournalRecord.PatternFloorAdded added ->
          FIXED_BYTES + 3 * added.keys().expression().length() + 16 * added.survivors().size();
      case JournalRecord.FloorsAcknowledged added -> FIXED_BYTES + 16 * added.floors().size();
      case JournalRecord.EarlierFloorsKept kept -> FIXED_BYTES + 16 * kept.floors().size();
      case JournalRecord.DrainJobKept job -> FIXED_BYTES + job.form().length;
      case JournalRecord.SegmentHeld held -> FIXED_BYTES + 3 * held.name().length();
      default -> FIXED_BYTES;
    };
  }

  static void write(JournalRecord record, ByteBuffer to) {
    switch (record) {
      case JournalRecord.EpochStarted started ->
          to.put(EPOCH_STARTED)
              .putLong(started.epoch())
              .putLong(started.endEpoch())
              .putLong(started.wallMillis());
      case JournalRecord.EpochExtended extended ->
          to.put(EPOCH_EXTENDED).putLong(extended.endEpoch());
      case JournalRecord.TenantNumbered tenant -> {
        to.put(TENANT_NUMBERED).putInt(tenant.number());
        writeText(tenant.name(), to);
      }
      case JournalRecord.DiskMounted disk -> {
        to.put(DISK_MOUNTED).putInt(disk.disk());
        writeId(disk.segmentId(), to);
        writeId(disk.nodeId(), to);
        writeText(disk.name(), to);
      }
      case JournalRecord.DiskAbsent disk ->
          to.put(DISK_ABSENT).putInt(disk.disk()).putLong(disk.wallMillis());
      case JournalRecord.DiskScanned disk -> to.put(DISK_SCANNED).putInt(disk.disk());
      case JournalRecord.DiskVoided disk ->
          to.put(DISK_VOIDED).putInt(disk.disk()).putLong(disk.deadBelow());
      case JournalRecord.DiskForgotten disk -> to.put(DISK_FORGOTTEN).putInt(disk.disk());
      case JournalRecord.FloorsAdded added ->
          writeFloors(FLOORS_ADDED, added.disk(), added.floors(), to);
      case JournalRecord.PatternFloorAdded added -> {
        to.put(PATTERN_FLOOR_ADDED).putInt(added.keys().tenant());
        writeText(added.keys().expression(), to);
        to.putInt(added.firstShard()).putInt(added.endShard()).putLong(added.below());
        writeFloors(added.survivors(), to);
      }
      case JournalRecord.FloorsAcknowledged acknowledged ->
          writeFloors(FLOORS_ACKNOWLEDGED, acknowledged.disk(), acknowledged.floors(), to);
      case JournalRecord.DiskKept kept -> {
        JournaledDisk disk = kept.disk();
        to.put(DISK_KEPT).putInt(disk.number());
        writeId(disk.segmentId(), to);
        writeId(disk.nodeId(), to);
        writeText(disk.name(), to);
        to.put(flag(disk.mounted())).putLong(disk.absentSinceMillis());
        to.put(flag(disk.voided())).putLong(disk.deadBelow()).put(flag(kept.needsFloors()));
      }
      case JournalRecord.EarlierFloorsKept kept ->
          writeFloors(EARLIER_FLOORS_KEPT, kept.disk(), kept.floors(), to);
      case JournalRecord.DrainJobKept job -> {
        to.put(DRAIN_JOB_KEPT);
        writeId(job.id(), to);
        to.putInt(job.form().length).put(job.form());
      }
      case JournalRecord.DrainJobForgotten job -> {
        to.put(DRAIN_JOB_FORGOTTEN);
        writeId(job.id(), to);
      }
      case JournalRecord.SegmentHeld held -> {
        to.put(SEGMENT_HELD);
        writeId(held.segmentId(), to);
        writeId(held.nodeId(), to);
        writeId(held.job(), to);
        writeText(held.name(), to);
      }
      case JournalRecord.SegmentReleased released -> {
        to.put(SEGMENT_RELEASED);
        writeId(released.segmentId(), to);
      }
      case JournalRecord.SnapshotEnded ended -> to.put(SNAPSHOT_ENDED);
    }
  }

  private static byte flag(boolean value) {
    return (byte) (value ? 1 : 0);
  }

  private static void writeId(UUID id, ByteBuffer to) {
    to.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static void writeText(String text, ByteBuffer to) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    to.putInt(bytes.length).put(bytes);
  }

  private static void writeFloors(byte type, int disk, Floors floors, ByteBuffer to) {
    to.put(type).putInt(disk);
    writeFloors(floors, to);
  }

  private static void writeFloors(Floors floors, ByteBuffer to) {
    to.putInt(floors.size());
    for (int i = 0; i < floors.size(); i++) {
      to.putLong(floors.hash(i)).putLong(floors.version(i));
    }
  }

  /** Reads a record; null when there is none of that form. */
  static @Nullable JournalRecord read(ByteBuffer from) {
    try {
      return switch (from.get()) {
        case EPOCH_STARTED ->
            new JournalRecord.EpochStarted(from.getLong(), from.getLong(), from.getLong());
        case EPOCH_EXTENDED -> new JournalRecord.EpochExtended(from.getLong());
        case TENANT_NUMBERED -> new JournalRecord.TenantNumbered(from.getInt(), readText(from));
        case DISK_MOUNTED ->
            new JournalRecord.DiskMounted(
                from.getInt(), readId(from), readId(from), readText(from));
        case DISK_ABSENT -> new JournalRecord.DiskAbsent(from.getInt(), from.getLong());
        case DISK_SCANNED -> new JournalRecord.DiskScanned(from.getInt());
        case DISK_VOIDED -> new JournalRecord.DiskVoided(from.getInt(), from.getLong());
        case DISK_FORGOTTEN -> new JournalRecord.DiskForgotten(from.getInt());
        case FLOORS_ADDED -> new JournalRecord.FloorsAdded(from.getInt(), readFloors(from));
        case PATTERN_FLOOR_ADDED ->
            new JournalRecord.PatternFloorAdded(
                new KeySelection(from.getInt(), readText(from)),
                from.getInt(),
                from.getInt(),
                from.getLong(),
                readFloors(from));
        case FLOORS_ACKNOWLEDGED ->
            new JournalRecord.FloorsAcknowledged(from.getInt(), readFloors(from));
        case DISK_KEPT ->
            new JournalRecord.DiskKept(
                new JournaledDisk(
                    from.getInt(),
                    readId(from),
                    readId(from),
                    readText(from),
                    from.get() != 0,
                    from.getLong(),
                    from.get() != 0,
                    from.getLong()),
                from.get() != 0);
        case EARLIER_FLOORS_KEPT ->
            new JournalRecord.EarlierFloorsKept(from.getInt(), readFloors(from));
        case DRAIN_JOB_KEPT -> new JournalRecord.DrainJobKept(readId(from), readBytes(from));
        case DRAIN_JOB_FORGOTTEN -> new JournalRecord.DrainJobForgotten(readId(from));
        case SEGMENT_HELD ->
            new JournalRecord.SegmentHeld(readId(from), readId(from), readId(from), readText(from));
        case SEGMENT_RELEASED -> new JournalRecord.SegmentReleased(readId(from));
        case SNAPSHOT_ENDED -> new JournalRecord.SnapshotEnded();
        default -> null;
      };
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  private static UUID readId(ByteBuffer from) {
    return new UUID(from.getLong(), from.getLong());
  }

  private static String readText(ByteBuffer from) {
    return new String(readBytes(from), StandardCharsets.UTF_8);
  }

  private static byte[] readBytes(ByteBuffer from) {
    byte[] bytes = new byte[length(from, 1)];
    from.get(bytes);
    return bytes;
  }

  private static Floors readFloors(ByteBuffer from) {
    int size = length(from, 2 * Long.BYTES);
    Floors floors = new Floors(size);
    for (int i = 0; i < size; i++) {
      floors.add(from.getLong(), from.getLong());
    }
    return floors;
  }

  private static int length(ByteBuffer from, int bytesEach) {
    int length = from.getInt();
    if (length < 0 || (long) length * bytesEach > from.remaining()) {
      throw new BufferUnderflowException();
    }
    return length;
  }
}
