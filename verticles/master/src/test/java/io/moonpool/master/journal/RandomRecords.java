package io.moonpool.master.journal;

import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Records as masters append them: versions of a key never go back. */
final class RandomRecords {
  private static final int DISKS = 4;
  private static final int HASHES = 40;

  private final Random random;
  private long version = 1000;

  RandomRecords(long seed) {
    random = new Random(seed);
  }

  JournalRecord next() {
    int disk = 1 + random.nextInt(DISKS);
    return switch (random.nextInt(22)) {
      case 0 -> new JournalRecord.EpochExtended(random.nextInt(1_000_000));
      case 1 -> new JournalRecord.TenantNumbered(disk, "tenant-é-" + disk);
      case 2, 3, 4 ->
          new JournalRecord.DiskMounted(
              disk, new UUID(0, disk), new UUID(9, random.nextInt(3)), "disk " + disk);
      case 5 -> new JournalRecord.DiskAbsent(disk, random.nextInt(1_000_000));
      case 6, 7 -> new JournalRecord.DiskScanned(disk);
      case 8 -> new JournalRecord.DiskVoided(disk, ++version);
      case 9 ->
          random.nextInt(4) == 0
              ? new JournalRecord.DiskForgotten(disk)
              : new JournalRecord.EpochStarted(
                  random.nextInt(1000), random.nextInt(1_000_000), random.nextInt(1_000_000));
      case 10, 11, 12 -> new JournalRecord.FloorsAcknowledged(disk, floors(3, 20));
      case 13, 14 -> new JournalRecord.FloorsAdded(disk, floors(1 + random.nextInt(20), 20));
      case 15 ->
          random.nextInt(3) == 0
              ? new JournalRecord.DrainJobForgotten(new UUID(1, disk))
              : new JournalRecord.DrainJobKept(new UUID(1, disk), bytes(random.nextInt(300)));
      case 16 ->
          random.nextInt(3) == 0
              ? new JournalRecord.SegmentReleased(new UUID(2, disk))
              : new JournalRecord.SegmentHeld(
                  new UUID(2, disk), new UUID(9, 1), new UUID(1, disk), "segment é " + ++version);
      case 17, 18 ->
          new JournalRecord.PatternFloorAdded(
              new KeySelection(
                  random.nextInt(2), List.of("", "^a-é", "b.*c").get(random.nextInt(3))),
              256 * random.nextInt(2),
              512,
              ++version,
              floors(random.nextInt(4), 20));
      default ->
          new JournalRecord.FloorsAdded(
              JournalRecord.EVERY_ABSENT_DISK, floors(1 + random.nextInt(20), 0));
    };
  }

  private Floors floors(int count, int back) {
    Floors floors = new Floors();
    for (int i = 0; i < count; i++) {
      floors.add(hash(random.nextInt(HASHES)), ++version - random.nextInt(2) * back);
    }
    return floors;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static long hash(int number) {
    return number * 0x9E37_79B9_7F4A_7C15L + 1;
  }
}
