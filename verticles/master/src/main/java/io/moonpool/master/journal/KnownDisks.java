package io.moonpool.master.journal;

import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.segment.DiskNumbers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The disks that the journal knows. Belongs to the control loop.
 *
 * <p>A disk that is absent keeps floors in memory and in the journal, for as long as it is expected
 * back. One that stays away too long, or for which too many floors are kept, is given up ({@link
 * #nextToVoid}): when it comes back, everything on it is dead.
 */
public final class KnownDisks implements DiskNumbers {
  private static final class Disk {
    final int number;
    final String name;
    boolean mounted;
    boolean voided;
    long absentSinceMillis;
    @Nullable Future<Integer> mounting;

    Disk(int number, String name) {
      this.number = number;
      this.name = name;
    }
  }

  private final Journal journal;
  private final MasterLoop loop;
  private final LongSupplier wallMillis;
  private final Map<UUID, Disk> byId = new HashMap<>();
  private final Map<Integer, Disk> byNumber = new HashMap<>();
  private int last;

  /**
   * The disks of a journal.
   *
   * @param remembered read before this returns
   * @param loop the control loop
   * @param wallMillis the wall clock
   */
  public KnownDisks(
      JournalState remembered, Journal journal, MasterLoop loop, LongSupplier wallMillis) {
    this.journal = journal;
    this.loop = loop;
    this.wallMillis = wallMillis;
    for (JournaledDisk each : remembered.disks()) {
      Disk disk = new Disk(each.number(), each.name());
      disk.voided = each.voided();
      disk.absentSinceMillis = each.absentSinceMillis();
      byId.put(each.segmentId(), disk);
      byNumber.put(each.number(), disk);
    }
    last = remembered.lastDisk();
  }

  @Override
  public Future<Integer> mounting(UUID diskId, UUID nodeId, String name) {
    Disk disk = byId.get(diskId);
    if (disk == null) {
      disk = new Disk(++last, name);
      byId.put(diskId, disk);
      byNumber.put(disk.number, disk);
    }
    Disk known = disk;
    Future<Integer> before = known.mounting;
    if (known.mounted && before != null && !before.failed()) {
      return before;
    }
    known.mounted = true;
    known.voided = false;
    Future<Integer> mounting =
        here(
            journal.append(new JournalRecord.DiskMounted(known.number, diskId, nodeId, name)),
            known.number);
    known.mounting = mounting;
    mounting.onFailure(failure -> absent(known.number));
    return mounting;
  }

  private <T> Future<T> here(Future<Void> durable, T value) {
    if (durable.succeeded()) {
      return Future.succeededFuture(value);
    }
    Promise<T> promise = Promise.promise();
    durable.onComplete(
        done ->
            loop.queue()
                .post(
                    () -> {
                      if (done.succeeded()) {
                        promise.complete(value);
                      } else {
                        promise.fail(done.cause());
                      }
                    }));
    return promise.future();
  }

  @Override
  public void absent(int number) {
    Disk disk = byNumber.get(number);
    if (disk != null && disk.mounted) {
      disk.mounted = false;
      disk.mounting = null;
      disk.absentSinceMillis = wallMillis.getAsLong();
      // Nobody waits: what must be durable after it is appended behind it.
      journal.append(new JournalRecord.DiskAbsent(number, disk.absentSinceMillis));
    }
  }

  @Override
  public Future<Void> scanned(int number) {
    Disk disk = byNumber.get(number);
    if (disk == null || !disk.mounted) {
      return Future.succeededFuture();
    }
    return here(journal.append(new JournalRecord.DiskScanned(number)), true).mapEmpty();
  }

  /**
   * The disk that is to be given up next.
   *
   * @param ttlMillis how long a disk may be absent
   * @param tooMany too many floors are kept: then also one that is not absent for so long
   * @return the number of the one that is absent the longest; empty when all may be waited for
   */
  public Optional<Integer> nextToVoid(long ttlMillis, boolean tooMany) {
    long nowMillis = wallMillis.getAsLong();
    Disk longest = null;
    for (Disk disk : byNumber.values()) {
      if (!disk.mounted
          && !disk.voided
          && (longest == null || disk.absentSinceMillis < longest.absentSinceMillis)) {
        longest = disk;
      }
    }
    return longest != null && (tooMany || nowMillis - longest.absentSinceMillis >= ttlMillis)
        ? Optional.of(longest.number)
        : Optional.empty();
  }

  /**
   * Gives an absent disk up.
   *
   * @param deadBelow a version that no write had when it went
   * @return true when that is durable, so that its floors may be forgotten; false when it is
   *     mounted again meanwhile
   */
  public Future<Boolean> makeVoid(int number, long deadBelow) {
    Disk disk = byNumber.get(number);
    if (disk == null || disk.mounted) {
      return Future.succeededFuture(false);
    }
    disk.voided = true;
    return here(journal.append(new JournalRecord.DiskVoided(number, deadBelow)), true)
        .map(durable -> !disk.mounted)
        .onFailure(failure -> disk.voided = false);
  }

  /** What people call a disk. */
  public String name(int number) {
    Disk disk = byNumber.get(number);
    return disk == null ? "" : disk.name;
  }
}
