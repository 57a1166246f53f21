package io.moonpool.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** What records mean, with plain maps: which floors each disk needs. The judge of the tests. */
final class NaiveJournal {
  static final class Disk {
    boolean mounted;
    boolean voided;
    boolean scanned;
    long deadBelow;

    /** Floors of all absent disks that this one needs, its own, and its own of earlier mounts. */
    final Map<Long, Long> shared = new HashMap<>();

    final Map<Long, Long> own = new HashMap<>();
    final Map<Long, Long> earlier = new HashMap<>();

    /** Removals by pattern that it needs. */
    final List<JournalRecord.PatternFloorAdded> patterns = new ArrayList<>();

    void forgetNeeded() {
      shared.clear();
      earlier.clear();
      patterns.clear();
    }

    void leave() {
      mounted = false;
      scanned = false;
      own.forEach((hash, version) -> earlier.merge(hash, version, Math::max));
      own.clear();
    }
  }

  final TreeMap<Integer, Disk> disks = new TreeMap<>();
  final Map<Integer, String> tenants = new HashMap<>();
  final Map<UUID, byte[]> drainJobs = new HashMap<>();
  final Map<UUID, JournalRecord.SegmentHeld> held = new HashMap<>();

  /** Every floor that was ever added: what may be known at most. */
  final Map<Integer, Map<Long, List<Long>>> ever = new HashMap<>();

  final Set<String> everPatterns = new HashSet<>();
  long endEpoch;

  void apply(JournalRecord record) {
    switch (record) {
      case JournalRecord.EpochStarted started -> {
        endEpoch = Math.max(endEpoch, started.endEpoch());
        disks.values().stream().filter(d -> d.mounted).forEach(Disk::leave);
      }
      case JournalRecord.EpochExtended extended ->
          endEpoch = Math.max(endEpoch, extended.endEpoch());
      case JournalRecord.TenantNumbered tenant -> tenants.put(tenant.number(), tenant.name());
      case JournalRecord.DiskMounted mounted -> {
        Disk disk = disks.computeIfAbsent(mounted.disk(), n -> new Disk());
        disk.mounted = true;
        disk.voided = false;
        disk.scanned = false;
      }
      case JournalRecord.DiskAbsent gone -> {
        if (disks.containsKey(gone.disk()) && disks.get(gone.disk()).mounted) {
          disks.get(gone.disk()).leave();
        }
      }
      case JournalRecord.DiskScanned scanned -> {
        Disk disk = disks.get(scanned.disk());
        if (disk != null && disk.mounted) {
          disk.scanned = true;
          disk.deadBelow = 0;
          disk.forgetNeeded();
        }
      }
      case JournalRecord.DiskVoided voided -> {
        Disk disk = disks.get(voided.disk());
        if (disk != null && !disk.mounted) {
          disk.voided = true;
          disk.deadBelow = Math.max(disk.deadBelow, voided.deadBelow());
          disk.forgetNeeded();
        }
      }
      case JournalRecord.DiskForgotten forgotten -> {
        if (disks.containsKey(forgotten.disk()) && !disks.get(forgotten.disk()).mounted) {
          disks.remove(forgotten.disk());
        }
      }
      case JournalRecord.FloorsAdded added -> {
        Floors floors = added.floors();
        for (int i = 0; i < floors.size(); i++) {
          long hash = floors.hash(i);
          long version = floors.version(i);
          ever.computeIfAbsent(added.disk(), d -> new HashMap<>())
              .computeIfAbsent(hash, h -> new ArrayList<>())
              .add(version);
          if (added.disk() != JournalRecord.EVERY_ABSENT_DISK) {
            if (disks.containsKey(added.disk())) {
              disks.get(added.disk()).own.merge(hash, version, Math::max);
            }
            continue;
          }
          for (Disk disk : disks.values()) {
            if (!disk.voided && !disk.scanned) {
              disk.shared.merge(hash, version, Math::max);
            }
          }
        }
      }
      case JournalRecord.PatternFloorAdded added -> {
        everPatterns.add(text(added));
        disks.values().stream()
            .filter(disk -> !disk.voided && !disk.scanned)
            .forEach(disk -> disk.patterns.add(added));
      }
      case JournalRecord.FloorsAcknowledged acknowledged -> {
        Floors floors = acknowledged.floors();
        Disk disk = disks.get(acknowledged.disk());
        for (int i = 0; disk != null && i < floors.size(); i++) {
          if (disk.own.getOrDefault(floors.hash(i), Long.MAX_VALUE) <= floors.version(i)) {
            disk.own.remove(floors.hash(i));
          }
        }
      }
      case JournalRecord.DrainJobKept job -> drainJobs.put(job.id(), job.form());
      case JournalRecord.DrainJobForgotten job -> drainJobs.remove(job.id());
      case JournalRecord.SegmentHeld segment -> held.put(segment.segmentId(), segment);
      case JournalRecord.SegmentReleased segment -> held.remove(segment.segmentId());
      case JournalRecord.DiskKept kept -> throw new AssertionError(kept);
      case JournalRecord.EarlierFloorsKept kept -> throw new AssertionError(kept);
      case JournalRecord.SnapshotEnded ended -> throw new AssertionError(ended);
    }
  }

  /** Every floor that a disk needs is known, and none that was not added. */
  void check(JournalState state) {
    assertThat(state.endEpoch()).isEqualTo(endEpoch);
    assertThat(state.tenants()).isEqualTo(tenants);
    assertThat(state.drainJobs()).hasSameSizeAs(drainJobs.keySet());
    for (JournalRecord.DrainJobKept job : state.drainJobs()) {
      assertThat(job.form()).isEqualTo(drainJobs.get(job.id()));
    }
    assertThat(state.heldSegments()).containsExactlyInAnyOrderElementsOf(held.values());
    assertThat(state.disks().stream().map(JournaledDisk::number))
        .containsExactlyElementsOf(disks.keySet());
    for (JournaledDisk disk : state.disks()) {
      Disk expected = disks.get(disk.number());
      assertThat(disk.mounted()).isEqualTo(expected.mounted);
      assertThat(disk.voided()).isEqualTo(expected.voided);
      assertThat(disk.deadBelow()).isEqualTo(expected.deadBelow);
    }
    Map<Integer, Map<Long, Long>> known = new HashMap<>();
    long[] count = {0};
    state.forEachFloor(
        (disk, hash, version) -> {
          count[0]++;
          assertThat(ever.getOrDefault(disk, Map.of()).getOrDefault(hash, List.of()))
              .contains(version);
          known.computeIfAbsent(disk, d -> new HashMap<>()).merge(hash, version, Math::max);
        });
    assertThat(state.floors()).isEqualTo(count[0]);
    checkPatterns(state);
    disks.forEach(
        (number, disk) -> {
          needs(known.getOrDefault(0, Map.of()), disk.shared);
          needs(known.getOrDefault(number, Map.of()), disk.own);
          needs(known.getOrDefault(number, Map.of()), disk.earlier);
        });
  }

  /** What a disk needs is there, or something that says more. */
  private void checkPatterns(JournalState state) {
    Map<Integer, List<JournalRecord.PatternFloorAdded>> known = new HashMap<>();
    state.forEachPattern(
        (floor, needing) -> {
          assertThat(everPatterns).contains(text(floor));
          assertThat(needing).isNotEmpty();
          needing.forEach(disk -> known.computeIfAbsent(disk, d -> new ArrayList<>()).add(floor));
        });
    disks.forEach(
        (number, disk) -> {
          List<JournalRecord.PatternFloorAdded> here = known.remove(number);
          assertThat(disk.scanned || disk.voided ? here : List.of()).isNullOrEmpty();
          for (JournalRecord.PatternFloorAdded needed : disk.patterns) {
            assertThat(here).isNotNull().anyMatch(floor -> saysAll(floor, needed));
          }
        });
    assertThat(known).as("disks that are not known").isEmpty();
  }

  private static boolean saysAll(
      JournalRecord.PatternFloorAdded floor, JournalRecord.PatternFloorAdded needed) {
    return text(floor).equals(text(needed))
        || (floor.keys().tenant() == needed.keys().tenant()
            && List.of("", needed.keys().expression()).contains(floor.keys().expression())
            && floor.firstShard() <= needed.firstShard()
            && floor.endShard() >= needed.endShard()
            && floor.below() >= needed.below());
  }

  private static String text(JournalRecord.PatternFloorAdded floor) {
    StringBuilder text = new StringBuilder();
    text.append(floor.keys()).append(floor.firstShard()).append('-').append(floor.endShard());
    text.append('<').append(floor.below());
    for (int i = 0; i < floor.survivors().size(); i++) {
      text.append(' ').append(floor.survivors().hash(i));
      text.append(':').append(floor.survivors().version(i));
    }
    return text.toString();
  }

  private static void needs(Map<Long, Long> known, Map<Long, Long> needed) {
    needed.forEach(
        (hash, version) ->
            assertThat(known.getOrDefault(hash, 0L)).isGreaterThanOrEqualTo(version));
  }

  /** No disk needs floors of absent disks. */
  boolean allScanned() {
    return disks.values().stream().allMatch(d -> d.scanned || d.voided);
  }
}
