package io.moonpool.core.index;

import java.util.Arrays;

/**
 * What a loop's objects have in each segment slot: the list of replicas, how many, and their bytes.
 * So who empties or removes a segment visits its replicas and no others.
 *
 * <p>A slot holds replicas of one mount at a time, since it is given to the next one only after
 * every loop has swept the last; so the generation is kept here once and not in each replica.
 */
final class Slots {
  private final ReplicaRows rows;
  private long[] generations = {};
  private long[] replicas = {};
  private long[] bytes = {};
  private int[] firsts = {};

  Slots(ReplicaRows rows) {
    this.rows = rows;
  }

  /**
   * Checks that replicas of a mount may go to a slot, and makes room for it.
   *
   * @throws IllegalStateException when replicas of another mount are left in the slot
   */
  void open(int slot, long generation) {
    if (slot >= generations.length) {
      int length = Math.max(slot + 1, Math.max(16, generations.length * 2));
      generations = Arrays.copyOf(generations, length);
      replicas = Arrays.copyOf(replicas, length);
      bytes = Arrays.copyOf(bytes, length);
      firsts = Arrays.copyOf(firsts, length);
    }
    if (replicas[slot] != 0 && generations[slot] != generation) {
      throw new IllegalStateException(
          "slot "
              + slot
              + " was given to generation "
              + generation
              + " before generation "
              + generations[slot]
              + " was swept");
    }
    generations[slot] = generation;
  }

  /** Puts a replica in front of the list of its slot, which is open. */
  void add(int replica, long size) {
    int slot = rows.slot(replica);
    int next = firsts[slot];
    rows.nextInSlot(replica, next);
    if (next != 0) {
      rows.previousInSlot(next, replica);
    }
    firsts[slot] = replica;
    replicas[slot]++;
    bytes[slot] += size;
  }

  /** Takes a replica out of the list of its slot. */
  void remove(int replica, long size) {
    int slot = rows.slot(replica);
    int previous = rows.previousInSlot(replica);
    int next = rows.nextInSlot(replica);
    if (previous == 0) {
      firsts[slot] = next;
    } else {
      rows.nextInSlot(previous, next);
    }
    if (next != 0) {
      rows.previousInSlot(next, previous);
    }
    replicas[slot]--;
    bytes[slot] -= size;
  }

  /** The generation of the replicas in a slot that has some. */
  long generation(int slot) {
    return generations[slot];
  }

  /** The first replica on that mount, or 0. */
  int first(int slot, long generation) {
    return slot < firsts.length && generations[slot] == generation ? firsts[slot] : 0;
  }

  /** How many replicas are in a slot. */
  long replicas(int slot) {
    return slot < replicas.length ? replicas[slot] : 0;
  }

  /** How many bytes the replicas in a slot have. */
  long bytes(int slot) {
    return slot < bytes.length ? bytes[slot] : 0;
  }
}
