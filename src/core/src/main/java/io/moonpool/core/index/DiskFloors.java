package io.moonpool.core.index;

import io.moonpool.core.floor.AbsentFloors;
import io.moonpool.core.floor.FloorMap;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.ErrorCode;
import it.unimi.dsi.fastutil.ints.Int2LongLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a loop knows of the disks: which records on them are dead, so that what was removed or
 * overwritten does not come back when a disk is scanned.
 *
 * <p>A <b>floor</b> of a key says that all records of it with a lower version are dead. Keys are
 * named by their hash. The rule that makes it complete: <i>every record on a disk is either
 * registered in the index, or being written by an offload that is open, or below a floor, or on a
 * disk whose scan is not complete.</i> So when a version dies, floors are needed for
 *
 * <ul>
 *   <li>each disk on which the index has a replica of it;
 *   <li>each disk that an open offload of the key may still write to;
 *   <li>all disks together that are absent or not scanned to the end.
 * </ul>
 *
 * <p>The first two kinds belong to a disk. They are told to its node, which writes a tombstone and
 * acknowledges; what it had not acknowledged when it went is settled by its next complete scan.
 *
 * <p>The third kind is kept once for all disks, since it is true of every disk: with a hundred
 * disks absent after a restart of the master, a removal costs one floor and not a hundred. They are
 * kept in the order in which they came; each disk needs those that came since it went, so the ones
 * at the front that no disk needs any more go.
 *
 * <p>Disks have three states: absent (no live mount), scanning (mounted, scan not complete), and
 * present. The first follows from the {@link SegmentTable}, the others from {@link #scanned}.
 */
final class DiskFloors {
  /** In place of a disk's number: all disks that are not present. */
  static final int EVERY_ABSENT = 0;

  private static final long NOTHING = Long.MAX_VALUE;

  /** How long a node may take to acknowledge a tombstone before it is told again. */
  private static final long TELL_AGAIN_MILLIS = 30_000;

  /** A disk that the journal knows. */
  static final class Disk {
    final int number;
    int slot = SegmentTable.NO_SLOT;
    long generation = SegmentTable.NO_GENERATION;

    /** The scan of this mount is complete. */
    boolean scanned;

    /** Absent, and everything on it is dead: it needs no floors. */
    boolean voided;

    /** Records with a lower version are dead, whatever their key. */
    long deadBelow;

    /** From which position on it needs the floors of absent disks. */
    long neededFrom = NOTHING;

    /** Floors of this mount. */
    FloorMap floors = new FloorMap();

    /** Floors of earlier mounts, until a scan is complete. */
    final List<FloorMap> earlier = new ArrayList<>(1);

    /** Records of this mount that are below its floors. */
    DeadRecords dead = new DeadRecords();

    /** Offloads that the node has not taken yet, and some that were given up. */
    final ArrayDeque<Offloads.Offload> waiting = new ArrayDeque<>();

    /** How many of these were not given up. */
    int pending;

    /** Versions, by row, of objects that wait until there is room among these. */
    final Int2LongLinkedOpenHashMap kept = new Int2LongLinkedOpenHashMap();

    /** Objects in memory that it could not take, or could not store. */
    final RetryQueue retries = new RetryQueue();

    /** The last offload that was settled has failed. */
    boolean failing;

    /** Bytes of memory that an eviction wants back when they are on this disk. */
    long deferredBytes;

    /** Offloads that the node has taken and not settled. */
    final Set<Offloads.Offload> open = new LinkedHashSet<>();

    Disk(int number) {
      this.number = number;
    }

    boolean isMounted() {
      return generation != SegmentTable.NO_GENERATION;
    }

    boolean needsFloors() {
      return !voided && !(isMounted() && scanned);
    }
  }

  private final IndexCore core;
  private final SegmentTable segments;
  private final Int2ObjectOpenHashMap<Disk> disks = new Int2ObjectOpenHashMap<>();
  private @Nullable Disk[] bySlot = new Disk[0];

  private final AbsentFloors absent = new AbsentFloors();
  private final DiskPatterns patterns;

  /** How many disks need the floors of absent disks, and from where on the first of them does. */
  private int needing;

  private long neededFrom = NOTHING;
  private long seenRevision = -1;
  private boolean refused;

  DiskFloors(IndexCore core) {
    this.core = core;
    segments = core.segments;
    patterns = new DiskPatterns(core);
  }

  /** The floors of removals by pattern. */
  DiskPatterns patterns() {
    return patterns;
  }

  /** Follows the segment table. */
  void refresh() {
    if (segments.revision() != seenRevision) {
      seenRevision = segments.revision();
      follow();
    }
  }

  private void follow() {
    if (bySlot.length < segments.slots()) {
      bySlot = Arrays.copyOf(bySlot, segments.slots());
    }
    for (int slot = 0; slot < segments.slots(); slot++) {
      int number = segments.disk(slot);
      if (number != 0 && segments.slotOfDisk(number) == slot) {
        disks.computeIfAbsent(number, Disk::new);
      }
    }
    for (Disk disk : disks.values()) {
      int slot = segments.slotOfDisk(disk.number);
      long generation =
          slot == SegmentTable.NO_SLOT ? SegmentTable.NO_GENERATION : segments.generation(slot);
      if (generation != disk.generation) {
        remount(disk, slot, generation);
      }
    }
    recount();
  }

  private void remount(Disk disk, int slot, long generation) {
    if (disk.isMounted()) {
      core.offloads.gone(disk);
      bySlot[disk.slot] = null;
      if (disk.floors.size() > 0) {
        disk.earlier.add(disk.floors);
        disk.floors = new FloorMap();
      }
      disk.dead = new DeadRecords();
    }
    disk.slot = slot;
    disk.generation = generation;
    disk.scanned = false;
    if (disk.isMounted()) {
      bySlot[slot] = disk;
      disk.voided = false;
    }
    if (!disk.voided && disk.neededFrom == NOTHING) {
      disk.neededFrom = absent.end();
    }
  }

  private void recount() {
    needing = 0;
    neededFrom = NOTHING;
    for (Disk disk : disks.values()) {
      if (disk.needsFloors()) {
        needing++;
        neededFrom = Math.min(neededFrom, disk.neededFrom);
      }
    }
  }

  /** The disk that is mounted there; null when there is none that the journal knows. */
  @Nullable Disk at(int slot, long generation) {
    Disk disk = slot >= 0 && slot < bySlot.length ? bySlot[slot] : null;
    return disk != null && disk.generation == generation ? disk : null;
  }

  /** What evictions wait for, in bytes, on disks whose nodes are heard from. */
  long deferredBytes() {
    long bytes = 0;
    if (core.stats.offloadDeferredBytes > 0) {
      for (@Nullable Disk disk : bySlot) {
        if (disk != null && segments.isServed(disk.slot, disk.generation)) {
          bytes += disk.deferredBytes;
        }
      }
    }
    return bytes;
  }

  // What the journal knows

  void add(int number, long deadBelow, boolean voided) {
    Disk disk = disks.computeIfAbsent(number, Disk::new);
    disk.deadBelow = Math.max(disk.deadBelow, deadBelow);
    if (!disk.isMounted() && voided) {
      makeVoid(disk);
    } else if (disk.neededFrom == NOTHING && disk.needsFloors()) {
      disk.neededFrom = absent.end();
    }
    recount();
  }

  /** Takes a floor over that the journal remembers. The disk must have been added. */
  void restore(int number, long hash, long version) {
    if (!core.owns(KeyHash.shard(hash))) {
      return;
    }
    if (number == EVERY_ABSENT) {
      addAbsent(hash, version);
      return;
    }
    Disk disk = disks.get(number);
    if (disk != null) {
      if (disk.earlier.isEmpty()) {
        disk.earlier.add(new FloorMap());
      }
      FloorMap floors = disk.earlier.getFirst();
      core.stats.diskFloors -= floors.size();
      floors.raise(hash, version);
      core.stats.diskFloors += floors.size();
    }
  }

  /** Everything on an absent disk is dead from now on. */
  void makeVoid(int number, long deadBelow) {
    Disk disk = disks.computeIfAbsent(number, Disk::new);
    disk.deadBelow = Math.max(disk.deadBelow, deadBelow);
    if (!disk.isMounted()) {
      makeVoid(disk);
    }
    recount();
  }

  private void makeVoid(Disk disk) {
    disk.voided = true;
    forgetNeeded(disk);
  }

  /** Whatever was kept for what a disk holds that is not known. */
  private void forgetNeeded(Disk disk) {
    disk.neededFrom = NOTHING;
    patterns.settled(disk.number);
    forgetEarlier(disk);
  }

  private void forgetEarlier(Disk disk) {
    for (FloorMap floors : disk.earlier) {
      core.stats.diskFloors -= floors.size();
    }
    disk.earlier.clear();
  }

  /** An absent disk will not come back. */
  void forget(int number) {
    Disk disk = disks.get(number);
    if (disk != null && !disk.isMounted()) {
      forgetNeeded(disk);
      disks.remove(number);
      recount();
    }
  }

  /**
   * Takes the floor of a removal by pattern over that the journal remembers.
   *
   * @param needing the disks that need it; must have been added
   */
  void restore(PatternFloor floor, IntCollection needing) {
    if (floor.firstShard() < core.endShard() && floor.endShard() > core.firstShard()) {
      patterns.add(floor, needing);
    }
  }

  /** The numbers of the disks that hold what nobody knows of. */
  IntList needing() {
    IntList numbers = new IntArrayList();
    for (Disk disk : disks.values()) {
      if (disk.needsFloors()) {
        numbers.add(disk.number);
      }
    }
    return numbers;
  }

  /** Whether there are such disks. */
  boolean anyNeeds() {
    return needing > 0;
  }

  // Floors

  /** While floors cannot be made durable, calls that need one are refused. */
  void refuse(boolean refuse) {
    boolean again = refused && !refuse;
    refused = refuse;
    if (again) {
      core.lanes.resumed();
    }
  }

  boolean refused() {
    return refused;
  }

  /** Whether floors are needed when all versions of a key die that a row (or 0) and disks have. */
  boolean needed(int row, long hash) {
    return needing > 0 || core.offloads.isOpen(hash) || (row != 0 && isOnDisk(row));
  }

  private boolean isOnDisk(int row) {
    for (int r = core.replicas.first(row); r != 0; r = core.replicas.nextOfObject(r)) {
      if (core.replicas.type(r) == IndexCore.LOCAL_DISK) {
        return true;
      }
    }
    return false;
  }

  /** Records that all versions of a key below that one are dead. The row (or 0) still has them. */
  void raise(int row, long hash, long floor) {
    if (row != 0) {
      for (int r = core.replicas.first(row); r != 0; r = core.replicas.nextOfObject(r)) {
        raiseFor(r, hash, floor);
      }
    }
    for (Offloads.Offload open = core.offloads.open(hash); open != null; open = open.nextOpen) {
      if (open.generation == open.disk.generation) {
        raiseFor(open.disk, open.version, hash, floor, open.tenant, open.key, 0, open.key.length);
      }
    }
    if (needing > 0) {
      addAbsent(hash, floor);
      core.effects.floor(EVERY_ABSENT, hash, floor);
    }
  }

  /** The same for one replica and nothing else; only a replica on disk matters. */
  void raiseFor(int replica, long hash, long floor) {
    if (core.replicas.type(replica) == IndexCore.LOCAL_DISK) {
      Disk disk = bySlot[core.replicas.slot(replica)];
      if (disk != null) {
        int row = core.replicas.object(replica);
        int address = core.objects.keyAddress(row);
        raiseFor(
            disk,
            core.objects.version(row),
            hash,
            floor,
            core.keys.tenant(address),
            core.keys.key(address),
            0,
            core.keys.keyLength(address));
      }
    }
  }

  /** The same for a record that a disk has or may get. */
  void raiseFor(
      Disk disk,
      long version,
      long hash,
      long floor,
      int tenant,
      byte[] key,
      int offset,
      int length) {
    long before = disk.floors.size();
    boolean raised = disk.floors.raise(hash, floor);
    core.stats.diskFloors += disk.floors.size() - before;
    if (raised) {
      core.effects.floor(disk.number, hash, floor);
    }
    boolean idle = disk.dead.isEmpty();
    disk.dead.add(version, hash, tenant, key, offset, length);
    if (idle) {
      core.effects.offload(disk.slot, disk.generation);
    }
  }

  private void addAbsent(long hash, long floor) {
    long before = absent.size();
    absent.raise(hash, floor);
    core.stats.diskFloors += absent.size() - before;
  }

  /** Whether a record on a disk is known to be dead. */
  boolean isDead(Disk disk, long hash, long version) {
    if (version < disk.deadBelow || version < absent.get(hash) || version < disk.floors.get(hash)) {
      return true;
    }
    for (FloorMap floors : disk.earlier) {
      if (version < floors.get(hash)) {
        return true;
      }
    }
    return false;
  }

  // What nodes say

  /** All records of a disk were reported, and the tombstones of the dead ones are durable. */
  ErrorCode scanned(int slot, long generation) {
    Disk disk = at(slot, generation);
    if (disk == null) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    disk.scanned = true;
    disk.deadBelow = 0;
    forgetNeeded(disk);
    recount();
    core.lanes.resumed();
    return ErrorCode.OK;
  }

  boolean isScanned(int slot, long generation) {
    Disk disk = at(slot, generation);
    return disk != null && disk.scanned;
  }

  int tell(int slot, long generation, int max, DroppedSink sink) {
    Disk disk = at(slot, generation);
    return disk == null ? 0 : disk.dead.tell(max, core.now(), core.now() - TELL_AGAIN_MILLIS, sink);
  }

  /**
   * The node has a tombstone for a record that it was told of. Answers the floor that is forgotten
   * by that, or {@link FloorMap#NONE}.
   */
  long acknowledge(int slot, long generation, long hash, long version) {
    Disk disk = at(slot, generation);
    if (disk == null || core.offloads.isOpen(hash, disk) || !disk.dead.acknowledge(hash, version)) {
      return FloorMap.NONE;
    }
    long floor = disk.floors.get(hash);
    if (disk.floors.removeUpTo(hash, floor)) {
      core.stats.diskFloors--;
    }
    return floor;
  }

  /** A step of forgetting floors that no disk needs. Answers whether none is left of them. */
  boolean trim(BooleanSupplier mayContinue) {
    long before = absent.size();
    boolean done = absent.trim(neededFrom, mayContinue);
    core.stats.diskFloors += absent.size() - before;
    return done;
  }

  /** There are floors that no disk needs. */
  boolean hasTrash() {
    return absent.isBefore(neededFrom);
  }
}
