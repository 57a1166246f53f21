package io.moonpool.core.index;

import java.util.Arrays;

/**
 * What a loop's objects have in each segment slot. A slot holds replicas of one mount at a time,
 * since it is given to the next one only after every loop has swept the last; so the generation is
 * kept here once and not in each replica.
 */
final class Slots {
  private long[] generations = {};
  private long[] replicas = {};
  private long[] bytes = {};

  /** Where among the shards the sweep of the slot is. */
  private int[] sweepCursors = {};

  /**
   * Counts a replica in.
   *
   * @throws IllegalStateException when replicas of another mount are left in the slot
   */
  void add(int slot, long generation, long size) {
    if (slot >= generations.length) {
      int length = Math.max(slot + 1, Math.max(16, generations.length * 2));
      generations = Arrays.copyOf(generations, length);
      replicas = Arrays.copyOf(replicas, length);
      bytes = Arrays.copyOf(bytes, length);
      sweepCursors = Arrays.copyOf(sweepCursors, length);
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
    replicas[slot]++;
    bytes[slot] += size;
  }

  /** Counts a replica out. */
  void remove(int slot, long size) {
    replicas[slot]--;
    bytes[slot] -= size;
  }

  /** The generation of the replicas in a slot that has some. */
  long generation(int slot) {
    return generations[slot];
  }

  /** Where among the shards the sweep of a slot that has replicas is. */
  int sweepCursor(int slot) {
    return sweepCursors[slot];
  }

  void sweepCursor(int slot, int cursor) {
    sweepCursors[slot] = cursor;
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
