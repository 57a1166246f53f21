package io.moonpool.core.index;

import io.moonpool.core.allocation.Extent;
import io.moonpool.model.ErrorCode;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies from a node's memory to its disk, from the decision to the node's answer:
 *
 * <pre>
 *            enqueue            take             settle
 *  (none) ----------> waiting ---------> open ------------> (none)
 *                        |                 |
 *                        | source goes,    | source goes, or reading takes too long:
 *                        | disk goes       | stays open without its source
 *                        v                 v
 *                      (none)             open -----------> (none)  settle, disk goes
 * </pre>
 *
 * <p>While it waits and while the node reads, its source is referenced: it is not evicted. It does
 * not stand in the way of a write or a removal. An open offload may write a record to its disk at
 * any time, also when its object is gone: {@link DiskFloors} counts with it until it is settled.
 *
 * <p>An object has one at a time that holds a source; a key has at most one that is open per disk.
 * Their number is bounded by the queue limit and by what nodes take at once.
 *
 * <p>An object that its disk could not take or could not store is remembered by the disk, and
 * queued again when the disk takes objects and its time has come: {@link OffloadRetries}.
 */
final class Offloads {
  private enum State {
    WAITING,
    OPEN,
    CLOSED
  }

  /** One copy. */
  static final class Offload {
    final DiskFloors.Disk disk;
    final long generation;
    final long hash;
    final long version;
    final int row;
    final int replica;

    /** Once it is open: the object's tenant and key. */
    int tenant;

    byte[] key = {};

    /** Bytes that an eviction waits for; 0 when none does. */
    final long deferredBytes;

    /** How often a disk has failed to store the object before. */
    private int failures;

    private State state = State.WAITING;
    private boolean hasSource = true;
    private long readUntilMillis;

    /** The source's extent, when its replica went while the node was reading it. */
    private @Nullable Parked parked;

    /** Another open offload of keys with that hash. */
    @Nullable Offload nextOpen;

    private Offload(
        DiskFloors.Disk disk, long hash, long version, int row, int replica, long deferredBytes) {
      this.disk = disk;
      this.generation = disk.generation;
      this.hash = hash;
      this.version = version;
      this.row = row;
      this.replica = replica;
      this.deferredBytes = deferredBytes;
    }
  }

  /**
   * An extent that nobody but the node of an open offload reads. It is free as soon as the node
   * says that it has finished.
   */
  private record Parked(
      int slot, long generation, long offsetUnits, long size, int node, long touchedUntilMillis) {}

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final OffloadPolicy policy;
  private final ObjectView view;

  /** Those that hold a source, by the row of their object. */
  private final Int2ObjectOpenHashMap<Offload> byRow = new Int2ObjectOpenHashMap<>();

  /** Open ones, by the hash of their key. */
  private final Long2ObjectOpenHashMap<Offload> open = new Long2ObjectOpenHashMap<>();

  /** Those that were taken, in the order in which their time to read ends. */
  private final ArrayDeque<Offload> reading = new ArrayDeque<>();

  /** Those of disks that are gone, to be given up. */
  private final ArrayDeque<Offload> orphans = new ArrayDeque<>();

  Offloads(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    policy = core.config.offload();
    view = new ObjectView(core);
  }

  // Deciding

  /** A write has ended: its object is offloaded, unless that is left to eviction. */
  void written(int row) {
    if (policy.enabled() && !policy.onEvict() && !offer(row, 0)) {
      core.retries.refused(row);
    }
  }

  /** Queues an object that a disk has failed to store so often; answers whether it did. */
  boolean offer(int row, int failures) {
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (enqueue(row, r, false, failures)) {
        return true;
      }
    }
    return false;
  }

  /** Has an object copied that goes with its memory otherwise, if its node has a disk for it. */
  void save(int row, int replica) {
    if (policy.enabled()) {
      enqueue(row, replica, false);
    }
  }

  /** Has a complete replica in memory copied to its node's disk; answers whether it will be. */
  boolean enqueue(int row, int replica, boolean forEviction) {
    return enqueue(row, replica, forEviction, 0);
  }

  private boolean enqueue(int row, int replica, boolean forEviction, int failures) {
    int slot = core.segments.diskSlotOf(replicas.slot(replica));
    if (slot < 0
        || objects.has(row, ObjectRows.OFFLOADING)
        || !core.segments.takesOffloads(slot, core.segments.generation(slot))
        || replicas.type(replica) != IndexCore.MEMORY
        || replicas.status(replica) != IndexCore.COMPLETE
        || replicas.references(replica) == ReplicaRows.MAX_REFERENCES) {
      return false;
    }
    DiskFloors.Disk disk = core.floors.at(slot, core.segments.generation(slot));
    long hash = core.hash(row);
    if (disk == null || disk.pending >= policy.queueLimit() || isOpen(hash, disk)) {
      return false;
    }
    Offload offload =
        new Offload(
            disk, hash, objects.version(row), row, replica, forEviction ? objects.size(row) : 0);
    offload.failures = failures;
    replicas.references(replica, replicas.references(replica) + 1);
    objects.set(row, ObjectRows.OFFLOADING);
    byRow.put(row, offload);
    disk.waiting.addLast(offload);
    core.stats.offloadsWaiting++;
    core.stats.offloadDeferredBytes += offload.deferredBytes;
    disk.deferredBytes += offload.deferredBytes;
    core.settle(row);
    if (++disk.pending == 1) {
      core.effects.offload(slot, disk.generation);
    }
    return true;
  }

  /** How many objects stay in memory because they are being copied. */
  int underWay() {
    return byRow.size();
  }

  /** Whether an offload references a replica that its node does not read yet. */
  boolean waits(int replica) {
    int row = replicas.object(replica);
    Offload offload = objects.has(row, ObjectRows.OFFLOADING) ? byRow.get(row) : null;
    return offload != null && offload.replica == replica && offload.state == State.WAITING;
  }

  // Reading

  int take(int slot, long generation, int max, OffloadSink sink) {
    DiskFloors.Disk disk = core.floors.at(slot, generation);
    int taken = 0;
    if (disk != null) {
      core.rehoming.enqueueKept(disk);
      core.retries.queue(disk, max);
    }
    while (disk != null && taken < max && !disk.waiting.isEmpty()) {
      Offload offload = disk.waiting.removeFirst();
      if (offload.state == State.WAITING) {
        disk.pending--;
        core.stats.offloadsWaiting--;
        if (take(offload, sink)) {
          taken++;
        }
      }
    }
    return taken;
  }

  private boolean take(Offload offload, OffloadSink sink) {
    int slot = replicas.slot(offload.replica);
    long generation = core.slots.generation(slot);
    if (!core.segments.isLive(slot, generation)
        || !core.segments.takesReplicas(offload.disk.slot, offload.generation)) {
      offload.state = State.CLOSED;
      release(offload);
      return false;
    }
    offload.state = State.OPEN;
    int address = objects.keyAddress(offload.row);
    offload.tenant = core.keys.tenant(address);
    offload.key = Arrays.copyOf(core.keys.key(address), core.keys.keyLength(address));
    offload.nextOpen = open.put(offload.hash, offload);
    offload.readUntilMillis = core.now() + policy.holdMillis();
    reading.addLast(offload);
    offload.disk.open.add(offload);
    core.hold(offload.replica, offload.readUntilMillis);
    core.stats.offloadsOpen++;
    sink.offload(
        view.at(offload.row),
        core.replicaId(offload.replica),
        generation,
        replicas.offsetUnits(offload.replica) * Extent.UNIT,
        offload.readUntilMillis);
    return true;
  }

  /** Gives the source up, if it is still held. */
  private void release(Offload offload) {
    if (!offload.hasSource) {
      return;
    }
    forgetSource(offload);
    int references = replicas.references(offload.replica) - 1;
    replicas.references(offload.replica, references);
    if (references == 0) {
      core.removeHold(offload.replica);
    }
    core.settle(offload.row);
  }

  private void forgetSource(Offload offload) {
    offload.hasSource = false;
    byRow.remove(offload.row);
    objects.clear(offload.row, ObjectRows.OFFLOADING);
    core.stats.offloadDeferredBytes -= offload.deferredBytes;
    offload.disk.deferredBytes -= offload.deferredBytes;
  }

  /**
   * A replica of an object that has an offload goes.
   *
   * @return the offload whose node is reading it, while nobody else holds it
   */
  @Nullable Offload dropped(int row, int replica) {
    Offload offload = byRow.get(row);
    if (offload == null || offload.replica != replica) {
      return null;
    }
    forgetSource(offload);
    giveUpWaiting(offload);
    boolean onlyReader = offload.state == State.OPEN && replicas.references(replica) == 1;
    return onlyReader ? offload : null;
  }

  /** Keeps the extent of a source until its node has finished to read. */
  void park(
      Offload offload,
      int slot,
      long generation,
      long offsetUnits,
      long size,
      int node,
      long touchedUntilMillis) {
    offload.parked = new Parked(slot, generation, offsetUnits, size, node, touchedUntilMillis);
  }

  /** Gives the extent of a source up; its node may read until then. */
  private void unpark(Offload offload, long readUntilMillis) {
    Parked extent = offload.parked;
    if (extent != null) {
      offload.parked = null;
      core.returned.add(
          extent.slot,
          extent.generation,
          extent.offsetUnits,
          extent.size,
          extent.node,
          Math.max(extent.touchedUntilMillis, readUntilMillis),
          core.now());
    }
  }

  private void giveUpWaiting(Offload offload) {
    if (offload.state == State.WAITING) {
      offload.state = State.CLOSED;
      offload.disk.pending--;
      core.stats.offloadsWaiting--;
    }
  }

  // Settling

  /** Whether a disk may still get a record of a key with that hash. */
  boolean isOpen(long hash) {
    return open(hash) != null;
  }

  boolean isOpen(long hash, DiskFloors.Disk disk) {
    for (Offload at = open(hash); at != null; at = at.nextOpen) {
      if (at.disk == disk && at.generation == disk.generation) {
        return true;
      }
    }
    return false;
  }

  /** The open offloads of keys with that hash, linked. */
  @Nullable Offload open(long hash) {
    return open.isEmpty() ? null : open.get(hash);
  }

  /** All that nodes may be writing to disks, as of now. */
  List<Offload> allOpen() {
    List<Offload> all = new ArrayList<>();
    for (Offload first : open.values()) {
      for (Offload at = first; at != null; at = at.nextOpen) {
        all.add(at);
      }
    }
    return all;
  }

  private @Nullable Offload find(long hash, DiskFloors.Disk disk, long version) {
    for (Offload at = open(hash); at != null; at = at.nextOpen) {
      if (at.disk == disk && at.version == version && at.generation == disk.generation) {
        return at;
      }
    }
    return null;
  }

  private void close(Offload offload) {
    offload.state = State.CLOSED;
    offload.disk.open.remove(offload);
    core.stats.offloadsOpen--;
    Offload first = open.get(offload.hash);
    if (first == offload) {
      if (offload.nextOpen == null) {
        open.remove(offload.hash);
      } else {
        open.put(offload.hash, offload.nextOpen);
      }
    } else {
      while (first != null && first.nextOpen != offload) {
        first = first.nextOpen;
      }
      if (first != null) {
        first.nextOpen = offload.nextOpen;
      }
    }
    offload.nextOpen = null;
    while (!reading.isEmpty() && reading.getFirst().state == State.CLOSED) {
      reading.removeFirst();
    }
  }

  ErrorCode settle(ObjectKey key, long version, int slot, long generation, boolean stored) {
    DiskFloors.Disk disk = core.floors.at(slot, generation);
    if (disk == null) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    Offload offload = find(key.hash(), disk, version);
    if (offload != null) {
      close(offload);
      unpark(offload, ReturnedSpace.UNTOUCHED);
      release(offload);
    }
    int row = core.find(key);
    boolean complete = row != 0 && objects.has(row, ObjectRows.COMPLETE);
    ErrorCode code = ErrorCode.OK;
    if (stored) {
      code = stored(key, complete ? row : 0, version, disk);
      core.stats.offloadsStored += code == ErrorCode.OK ? 1 : 0;
      if (disk.failing) {
        disk.failing = false;
        core.lanes.disksWork();
      }
      if (code == ErrorCode.OK && offload != null && offload.deferredBytes > 0) {
        core.evictions.offloaded(row);
      }
    } else {
      core.stats.offloadsFailed++;
      disk.failing = true;
    }
    if (complete && objects.version(row) == version && !(stored && code == ErrorCode.OK)) {
      // Also one that the disk must make dead first, since it was to leave the disk before.
      core.retries.failed(disk, row, offload == null ? 1 : offload.failures + 1);
    }
    if (complete && objects.version(row) != version) {
      // A later write was not offloaded while this one was open.
      written(row);
    }
    return code;
  }

  private ErrorCode stored(ObjectKey key, int row, long version, DiskFloors.Disk disk) {
    boolean current =
        row != 0
            && objects.version(row) == version
            && !core.floors.isDead(disk, key.hash(), version);
    if (current && core.replicaIn(row, disk.slot) != 0) {
      return ErrorCode.OK;
    }
    if (current && core.segments.takesReplicas(disk.slot, disk.generation)) {
      core.addDiskReplica(row, disk.slot, disk.generation);
      return ErrorCode.OK;
    }
    // Nobody knows of the record but the node, which deletes it; until then a floor stands for it.
    core.floors.raiseFor(
        disk,
        version,
        key.hash(),
        version + 1,
        key.tenant(),
        key.bytes(),
        key.offset(),
        key.length());
    return current ? ErrorCode.UNABLE_OFFLOADING : ErrorCode.INVALID_VERSION;
  }

  // Time and disks that go

  /** A disk is unmounted: what is under way to it is given up. */
  void gone(DiskFloors.Disk disk) {
    orphans.addAll(disk.waiting);
    disk.waiting.clear();
    orphans.addAll(disk.open);
    disk.open.clear();
    core.retries.gone(disk);
  }

  /** When a node must have stopped to read, in milliseconds; or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    if (!orphans.isEmpty()) {
      return 0;
    }
    return reading.isEmpty() ? Long.MAX_VALUE : reading.getFirst().readUntilMillis;
  }

  /** Gives up sources that were read for too long. Answers whether none is left now. */
  boolean reap(BooleanSupplier mayContinue) {
    while (!orphans.isEmpty()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      orphan(orphans.removeFirst());
    }
    while (!reading.isEmpty() && reading.getFirst().readUntilMillis <= core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Offload offload = reading.removeFirst();
      core.stats.offloadsOverdue += offload.hasSource ? 1 : 0;
      unpark(offload, offload.readUntilMillis);
      release(offload);
    }
    return true;
  }

  private void orphan(Offload offload) {
    if (offload.state == State.OPEN) {
      close(offload);
      unpark(offload, offload.readUntilMillis);
    }
    giveUpWaiting(offload);
    release(offload);
  }
}
