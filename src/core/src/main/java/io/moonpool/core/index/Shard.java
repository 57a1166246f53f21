package io.moonpool.core.index;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;

/**
 * One object shard: its tables, lists and side maps. It stores; {@link IndexCore} keeps what is
 * stored consistent.
 */
final class Shard {
  private static final int[] NO_BLOCKS = {};

  /** 0 to {@link ObjectIndex#SHARDS} - 1. */
  final int number;

  /** The place among the shards of this loop. */
  final int index;

  final ObjectRows objects = new ObjectRows();
  final ReplicaRows replicas = new ReplicaRows();
  final KeySlab keys = new KeySlab(objects);
  final KeyTable table = new KeyTable(objects, keys);

  /** Writes in progress, by the end of their grant. */
  final LeaseOrder writes = new LeaseOrder(objects);

  /** Objects without soft pin that may be evicted, by the end of their lease. */
  final LeaseOrder unpinned = new LeaseOrder(objects);

  /** Soft-pinned objects that may be evicted, by the end of their lease. */
  final LeaseOrder softPinned = new LeaseOrder(objects);

  /** The places of soft-pinned rows in the {@link SoftPins}. */
  final Int2IntOpenHashMap softPins = new Int2IntOpenHashMap(0);

  /** The row of the upsert in progress over an object, for objects that have one. */
  final Int2IntOpenHashMap upserts = new Int2IntOpenHashMap(0);

  /** The block checksums of objects that have some. */
  final Int2ObjectOpenHashMap<int[]> blockChecksums = new Int2ObjectOpenHashMap<>(0);

  /** The memberships of grouped objects. */
  final Int2ObjectOpenHashMap<Membership> memberships = new Int2ObjectOpenHashMap<>(0);

  /**
   * Until when somebody other than readers and writers of the object may touch a replica, for
   * replicas that are the source or target of a task.
   */
  private final Int2LongOpenHashMap holds = new Int2LongOpenHashMap(0);

  /** The first replica in each slot. */
  private int[] firstInSlot = {};

  private long sequence;

  Shard(int number, int index, long firstSequence) {
    this.number = number;
    this.index = index;
    sequence = firstSequence;
  }

  /** A number that no object, write or replica has had. */
  long nextNumber() {
    return sequence++ * ObjectIndex.SHARDS + number;
  }

  /** The first replica in a slot, or 0. */
  int firstInSlot(int slot) {
    return slot < firstInSlot.length ? firstInSlot[slot] : 0;
  }

  /** Puts a replica in front of its slot's list. */
  void linkInSlot(int replica) {
    int slot = replicas.slot(replica);
    if (slot >= firstInSlot.length) {
      firstInSlot = Arrays.copyOf(firstInSlot, slot + 1 + slot / 2);
    }
    int next = firstInSlot[slot];
    replicas.nextInSlot(replica, next);
    if (next != 0) {
      replicas.previousInSlot(next, replica);
    }
    firstInSlot[slot] = replica;
  }

  /** Takes a replica out of its slot's list. */
  void unlinkInSlot(int replica) {
    int previous = replicas.previousInSlot(replica);
    int next = replicas.nextInSlot(replica);
    if (previous == 0) {
      firstInSlot[replicas.slot(replica)] = next;
    } else {
      replicas.nextInSlot(previous, next);
    }
    if (next != 0) {
      replicas.previousInSlot(next, previous);
    }
  }

  /** Takes a replica out of its object's list. */
  void unlinkOfObject(int replica) {
    int object = replicas.object(replica);
    int next = replicas.nextOfObject(replica);
    int at = objects.firstReplica(object);
    if (at == replica) {
      objects.firstReplica(object, next);
      return;
    }
    while (replicas.nextOfObject(at) != replica) {
      at = replicas.nextOfObject(at);
    }
    replicas.nextOfObject(at, next);
  }

  /** Somebody may touch a replica until then. Holds never become shorter. */
  void hold(int replica, long untilMillis) {
    if (untilMillis > holds.get(replica)) {
      holds.put(replica, untilMillis);
    }
  }

  /** Forgets the hold on a replica; answers until when it was, or 0. */
  long removeHold(int replica) {
    return holds.isEmpty() ? 0 : holds.remove(replica);
  }

  /** The block checksums of an object; empty when it has none. */
  int[] blockChecksums(int row) {
    if (!objects.has(row, ObjectRows.BLOCK_CHECKSUMS)) {
      return NO_BLOCKS;
    }
    int[] blocks = blockChecksums.get(row);
    return blocks == null ? NO_BLOCKS : blocks;
  }

  /** The heap that the tables take, in bytes; side maps and object headers not counted. */
  long bytes() {
    return objects.bytes()
        + replicas.bytes()
        + keys.bytes()
        + table.bytes()
        + (long) firstInSlot.length * Integer.BYTES;
  }
}
