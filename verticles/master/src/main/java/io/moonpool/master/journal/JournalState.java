package io.moonpool.master.journal;

import io.moonpool.core.floor.AbsentFloors;
import io.moonpool.core.floor.FloorMap;
import io.moonpool.core.floor.PatternFloors;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What all records of a journal together say. A journal builds it when it is opened, and keeps it
 * up to date to write snapshots from; so it belongs to the journal's thread, and to the thread that
 * opened the journal until the first append.
 */
public final class JournalState {
  private static final long NOTHING = Long.MAX_VALUE;
  private static final int FLOORS_A_RECORD = 4096;

  private static final class Disk {
    JournaledDisk facts;

    /** From which position on it needs the floors of absent disks. */
    long neededFrom = NOTHING;

    /** Floors since it was mounted, and those from before. */
    FloorMap floors = new FloorMap();

    FloorMap earlier = new FloorMap();

    Disk(JournaledDisk facts) {
      this.facts = facts;
    }

    void change(boolean mounted, long absentSinceMillis, boolean voided, long deadBelow) {
      facts =
          new JournaledDisk(
              facts.number(),
              facts.segmentId(),
              facts.nodeId(),
              facts.name(),
              mounted,
              absentSinceMillis,
              voided,
              deadBelow);
    }

    /** Floors of a mount that is over stand until the next scan. */
    void endMount() {
      if (earlier.size() == 0) {
        earlier = floors;
      } else {
        floors.forEach(earlier::raise);
      }
      floors = new FloorMap();
    }
  }

  private final Map<Integer, Disk> disks = new TreeMap<>();
  private final Map<Integer, String> tenants = new TreeMap<>();
  private final Map<UUID, JournalRecord.DrainJobKept> drainJobs = new LinkedHashMap<>();
  private final Map<UUID, JournalRecord.SegmentHeld> held = new LinkedHashMap<>();
  private final AbsentFloors absent = new AbsentFloors();
  private final PatternFloors<JournalRecord.PatternFloorAdded> patterns = new PatternFloors<>();
  private long endEpoch;
  private int lastDisk;

  /** Takes one more record into account. */
  void apply(JournalRecord record) {
    switch (record) {
      case JournalRecord.EpochStarted started -> {
        endEpoch = Math.max(endEpoch, started.endEpoch());
        for (Disk disk : disks.values()) {
          if (disk.facts.mounted()) {
            leave(disk, started.wallMillis());
          }
        }
      }
      case JournalRecord.EpochExtended extended ->
          endEpoch = Math.max(endEpoch, extended.endEpoch());
      case JournalRecord.TenantNumbered tenant -> tenants.put(tenant.number(), tenant.name());
      case JournalRecord.DiskMounted mounted -> mount(mounted);
      case JournalRecord.DiskAbsent gone -> {
        Disk disk = disks.get(gone.disk());
        if (disk != null && disk.facts.mounted()) {
          leave(disk, gone.wallMillis());
        }
      }
      case JournalRecord.DiskScanned scanned -> {
        Disk disk = disks.get(scanned.disk());
        if (disk != null && disk.facts.mounted()) {
          forgetNeeded(disk);
          disk.change(true, 0, false, 0);
        }
      }
      case JournalRecord.DiskVoided voided -> {
        Disk disk = disks.get(voided.disk());
        if (disk != null && !disk.facts.mounted()) {
          forgetNeeded(disk);
          disk.change(
              false,
              disk.facts.absentSinceMillis(),
              true,
              Math.max(disk.facts.deadBelow(), voided.deadBelow()));
        }
      }
      case JournalRecord.DiskForgotten forgotten -> {
        Disk disk = disks.get(forgotten.disk());
        if (disk != null && !disk.facts.mounted()) {
          disks.remove(forgotten.disk());
          forgetNeeded(disk);
        }
      }
      case JournalRecord.FloorsAdded added -> add(added);
      case JournalRecord.PatternFloorAdded added ->
          patterns.add(added, needing(), JournalRecord.PatternFloorAdded::replaces);
      case JournalRecord.FloorsAcknowledged acknowledged -> {
        Disk disk = disks.get(acknowledged.disk());
        if (disk != null) {
          Floors floors = acknowledged.floors();
          for (int i = 0; i < floors.size(); i++) {
            disk.floors.removeUpTo(floors.hash(i), floors.version(i));
          }
        }
      }
      case JournalRecord.DiskKept kept -> {
        Disk disk = new Disk(kept.disk());
        disk.neededFrom = kept.needsFloors() ? 0 : NOTHING;
        disks.put(kept.disk().number(), disk);
        lastDisk = Math.max(lastDisk, kept.disk().number());
      }
      case JournalRecord.EarlierFloorsKept kept -> {
        Disk disk = disks.get(kept.disk());
        if (disk != null) {
          raise(disk.earlier, kept.floors());
        }
      }
      case JournalRecord.DrainJobKept job -> drainJobs.put(job.id(), job);
      case JournalRecord.DrainJobForgotten job -> drainJobs.remove(job.id());
      case JournalRecord.SegmentHeld segment -> held.put(segment.segmentId(), segment);
      case JournalRecord.SegmentReleased segment -> held.remove(segment.segmentId());
      case JournalRecord.SnapshotEnded ended -> {}
    }
  }

  private void mount(JournalRecord.DiskMounted mounted) {
    Disk disk = disks.get(mounted.disk());
    long deadBelow = disk == null ? 0 : disk.facts.deadBelow();
    JournaledDisk facts =
        new JournaledDisk(
            mounted.disk(),
            mounted.segmentId(),
            mounted.nodeId(),
            mounted.name(),
            true,
            0,
            false,
            deadBelow);
    if (disk == null) {
      disk = new Disk(facts);
      disks.put(mounted.disk(), disk);
      lastDisk = Math.max(lastDisk, mounted.disk());
    }
    disk.facts = facts;
    if (disk.neededFrom == NOTHING) {
      disk.neededFrom = absent.end();
    }
  }

  private void leave(Disk disk, long wallMillis) {
    disk.endMount();
    disk.change(false, wallMillis, false, disk.facts.deadBelow());
    if (disk.neededFrom == NOTHING) {
      disk.neededFrom = absent.end();
    }
  }

  private void add(JournalRecord.FloorsAdded added) {
    Floors floors = added.floors();
    if (added.disk() == JournalRecord.EVERY_ABSENT_DISK) {
      for (int i = 0; i < floors.size(); i++) {
        absent.raise(floors.hash(i), floors.version(i));
      }
      return;
    }
    Disk disk = disks.get(added.disk());
    if (disk != null) {
      raise(disk.floors, floors);
    }
  }

  private static void raise(FloorMap map, Floors floors) {
    for (int i = 0; i < floors.size(); i++) {
      map.raise(floors.hash(i), floors.version(i));
    }
  }

  /** The disks that are absent or not scanned to the end. */
  private IntList needing() {
    IntList needing = new IntArrayList();
    for (Disk disk : disks.values()) {
      if (disk.neededFrom != NOTHING) {
        needing.add(disk.facts.number());
      }
    }
    return needing;
  }

  /** What was kept for what a disk holds that nobody knows of. */
  private void forgetNeeded(Disk disk) {
    disk.earlier = new FloorMap();
    disk.neededFrom = NOTHING;
    patterns.settle(disk.facts.number());
    trim();
  }

  private void trim() {
    long from = NOTHING;
    for (Disk disk : disks.values()) {
      from = Math.min(from, disk.neededFrom);
    }
    absent.trim(from, () -> true);
  }

  // Answers

  /** The first epoch that the next start of a master may have; 0 when there was none. */
  public long endEpoch() {
    return endEpoch;
  }

  /** The names of tenants by their number. */
  public Map<Integer, String> tenants() {
    return Map.copyOf(tenants);
  }

  /** The disks, by their number. */
  public List<JournaledDisk> disks() {
    return disks.values().stream().map(disk -> disk.facts).toList();
  }

  /** The highest number that a disk has or had. */
  public int lastDisk() {
    return lastDisk;
  }

  /** The drain jobs that are remembered, in the order in which they were made. */
  public List<JournalRecord.DrainJobKept> drainJobs() {
    return List.copyOf(drainJobs.values());
  }

  /** The segments that take no new objects. */
  public List<JournalRecord.SegmentHeld> heldSegments() {
    return List.copyOf(held.values());
  }

  /** How many floors there are. */
  public long floors() {
    long floors = absent.size();
    for (Disk disk : disks.values()) {
      floors += disk.floors.size() + disk.earlier.size();
    }
    return floors;
  }

  /** Takes one floor of one disk, or of {@link JournalRecord#EVERY_ABSENT_DISK}. */
  @FunctionalInterface
  public interface FloorVisitor {
    /** A floor. */
    void floor(int disk, long hash, long version);
  }

  /** Visits all floors, those of absent disks in the order in which they came. */
  public void forEachFloor(FloorVisitor visitor) {
    absent.forEach(
        (hash, version) -> visitor.floor(JournalRecord.EVERY_ABSENT_DISK, hash, version));
    for (Disk disk : disks.values()) {
      int number = disk.facts.number();
      disk.earlier.forEach((hash, version) -> visitor.floor(number, hash, version));
      disk.floors.forEach((hash, version) -> visitor.floor(number, hash, version));
    }
  }

  /** Visits the floors of removals by pattern, each with the disks that need it. */
  public void forEachPattern(PatternFloors.Visitor<JournalRecord.PatternFloorAdded> visitor) {
    patterns.forEach(visitor);
  }

  // Snapshots

  /** Takes the records of a snapshot, one after the other. */
  interface Sink {
    void record(JournalRecord record) throws java.io.IOException;
  }

  /** All that is known, as records that lead to the same state. */
  void snapshot(Sink sink) throws java.io.IOException {
    sink.record(new JournalRecord.EpochExtended(endEpoch));
    for (Map.Entry<Integer, String> tenant : tenants.entrySet()) {
      sink.record(new JournalRecord.TenantNumbered(tenant.getKey(), tenant.getValue()));
    }
    for (Disk disk : disks.values()) {
      sink.record(new JournalRecord.DiskKept(disk.facts, disk.neededFrom != NOTHING));
    }
    for (JournalRecord job : drainJobs.values()) {
      sink.record(job);
    }
    for (JournalRecord segment : held.values()) {
      sink.record(segment);
    }
    for (Floors part : parts(absent::forEach)) {
      sink.record(new JournalRecord.FloorsAdded(JournalRecord.EVERY_ABSENT_DISK, part));
    }
    List<JournalRecord> kept = new ArrayList<>();
    patterns.forEach((floor, needing) -> kept.add(floor));
    for (JournalRecord floor : kept) {
      sink.record(floor);
    }
    for (Disk disk : disks.values()) {
      int number = disk.facts.number();
      for (Floors part : parts(disk.earlier::forEach)) {
        sink.record(new JournalRecord.EarlierFloorsKept(number, part));
      }
      for (Floors part : parts(disk.floors::forEach)) {
        sink.record(new JournalRecord.FloorsAdded(number, part));
      }
    }
    sink.record(new JournalRecord.SnapshotEnded());
  }

  private interface FloorSource {
    void forEach(FloorMap.Visitor visitor);
  }

  private static List<Floors> parts(FloorSource source) {
    List<Floors> parts = new ArrayList<>();
    source.forEach(
        (hash, version) -> {
          if (parts.isEmpty() || parts.getLast().size() == FLOORS_A_RECORD) {
            parts.add(new Floors(FLOORS_A_RECORD));
          }
          parts.getLast().add(hash, version);
        });
    return parts;
  }

  /** The disk with that id; for tests and tools. */
  java.util.Optional<JournaledDisk> disk(UUID segmentId) {
    return disks().stream().filter(disk -> disk.segmentId().equals(segmentId)).findFirst();
  }
}
