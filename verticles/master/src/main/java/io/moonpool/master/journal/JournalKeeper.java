package io.moonpool.master.journal;

import io.moonpool.core.index.ObjectIndex;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second whether the journal needs something: more versions than were set aside for
 * this start of the master, or an absent disk to be given up. On the control loop.
 */
public final class JournalKeeper extends VerticleBase {
  private static final long LOOK_MILLIS = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(JournalKeeper.class);

  private final Journal journal;
  private final KnownDisks disks;
  private final Metadata metadata;
  private final long sequencesAnEpoch;
  private final long absenceTtlMillis;
  private final long floorLimit;
  private final long patternLimit;
  private long endEpoch;
  private boolean looking;

  /** What it asks and tells the metadata loops. */
  public interface Metadata {
    /** The highest sequence number that the next version of any object may get. */
    Future<Long> nextSequence();

    /** Everything on an absent disk below a version is dead. */
    Future<Void> voidDisk(int disk, long deadBelow);

    /** How many floors are kept. */
    long diskFloors();

    /** How many removals by pattern are kept, on the loop that has the most of them. */
    long diskPatterns();
  }

  /**
   * A keeper.
   *
   * @param endEpoch up to which versions were set aside
   * @param sequencesAnEpoch sequence numbers of a shard that an epoch has room for
   * @param absenceTtlMillis how long a disk may be absent
   * @param floorLimit how many floors may be kept in all
   * @param patternLimit how many removals by pattern may be kept
   */
  public JournalKeeper(
      Journal journal,
      KnownDisks disks,
      Metadata metadata,
      long endEpoch,
      long sequencesAnEpoch,
      long absenceTtlMillis,
      long floorLimit,
      long patternLimit) {
    this.journal = journal;
    this.disks = disks;
    this.metadata = metadata;
    this.endEpoch = endEpoch;
    this.sequencesAnEpoch = sequencesAnEpoch;
    this.absenceTtlMillis = absenceTtlMillis;
    this.floorLimit = floorLimit;
    this.patternLimit = patternLimit;
  }

  @Override
  public Future<?> start() {
    vertx.setPeriodic(LOOK_MILLIS, ignored -> look());
    return Future.succeededFuture();
  }

  /** Does what there is to do, unless it still does so. */
  private void look() {
    if (looking) {
      return;
    }
    looking = true;
    metadata
        .nextSequence()
        .compose(
            next -> {
              extend(next);
              return giveUpDisk(next);
            })
        .onComplete(done -> looking = false);
  }

  private void extend(long nextSequence) {
    long epoch = nextSequence / sequencesAnEpoch + 1;
    if (journal.isDurable() && epoch + FileJournal.EPOCHS_AT_ONCE / 2 > endEpoch) {
      endEpoch = epoch + FileJournal.EPOCHS_AT_ONCE;
      journal.append(new JournalRecord.EpochExtended(endEpoch));
    }
  }

  private Future<Void> giveUpDisk(long nextSequence) {
    String tooMany = tooMany();
    Optional<Integer> next = disks.nextToVoid(absenceTtlMillis, !tooMany.isEmpty());
    if (next.isEmpty()) {
      return Future.succeededFuture();
    }
    int disk = next.get();
    long deadBelow = nextSequence * ObjectIndex.SHARDS;
    return disks
        .makeVoid(disk, deadBelow)
        .compose(
            given -> {
              if (!given) {
                return Future.succeededFuture();
              }
              LOG.warn(
                  "disk '{}' is given up: {}. Should it come back, what it holds now is dropped",
                  disks.name(disk),
                  tooMany.isEmpty() ? "it is absent for longer than disk_absence_ttl_ms" : tooMany);
              return metadata.voidDisk(disk, deadBelow);
            });
  }

  private String tooMany() {
    if (metadata.diskFloors() > floorLimit) {
      return "more than disk_floor_limit removals wait for absent disks";
    }
    return metadata.diskPatterns() > patternLimit
        ? "more than disk_pattern_limit removals by pattern wait for absent disks"
        : "";
  }
}
