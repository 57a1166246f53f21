package io.moonpool.core.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

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

  /** Until when somebody may touch what was in a slot, in milliseconds. */
  private long[] touched = {};

  /** The walks that go on: none most of the time. */
  private final List<Walk> walks = new ArrayList<>(0);

  /**
   * A walk over the replicas that are in a slot when it starts. It may pause while replicas come,
   * which it does not visit, and go.
   */
  final class Walk {
    private int replica;

    private Walk(int first) {
      replica = first;
      walks.add(this);
    }

    /** The replica to be visited, or 0 when all have been. */
    int replica() {
      return replica;
    }

    /** Goes on to the next one. */
    void next() {
      replica = rows.nextInSlot(replica);
    }

    /**
     * Visits replicas until all have been, or it may not go on.
     *
     * @param mayContinue asked before each replica
     * @return true when all have been visited
     */
    boolean step(BooleanSupplier mayContinue, IntConsumer visitor) {
      while (replica != 0) {
        if (!mayContinue.getAsBoolean()) {
          return false;
        }
        int visited = replica;
        next();
        visitor.accept(visited);
      }
      return true;
    }

    /** Must be called when it is not used any more. */
    void end() {
      walks.remove(this);
    }
  }

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
      touched = Arrays.copyOf(touched, length);
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
    if (generations[slot] != generation) {
      touched[slot] = 0;
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
    for (int i = 0; i < walks.size(); i++) {
      Walk walk = walks.get(i);
      if (walk.replica == replica) {
        walk.next();
      }
    }
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

  /** A replica has another row: takes its place in the list of its slot. */
  void moved(int from, int to) {
    for (int i = 0; i < walks.size(); i++) {
      Walk walk = walks.get(i);
      if (walk.replica == from) {
        walk.replica = to;
      }
    }
    int previous = rows.previousInSlot(to);
    int next = rows.nextInSlot(to);
    if (previous == 0) {
      firsts[rows.slot(to)] = to;
    } else {
      rows.nextInSlot(previous, to);
    }
    if (next != 0) {
      rows.previousInSlot(next, to);
    }
  }

  /** The generation of the replicas in a slot that has some. */
  long generation(int slot) {
    return generations[slot];
  }

  /** The first replica on that mount, or 0. */
  int first(int slot, long generation) {
    return holds(slot, generation) ? firsts[slot] : 0;
  }

  /** Starts a walk over the replicas on that mount. */
  Walk walk(int slot, long generation) {
    return new Walk(first(slot, generation));
  }

  /** Somebody may touch what a replica in a slot that goes had there, until then. */
  void touched(int slot, long untilMillis) {
    touched[slot] = Math.max(touched[slot], untilMillis);
  }

  /** Until when somebody may touch what was on that mount, in milliseconds; 0 when nobody may. */
  long touchedUntil(int slot, long generation) {
    return holds(slot, generation) ? touched[slot] : 0;
  }

  /** How many replicas are in a slot. */
  long replicas(int slot) {
    return slot < replicas.length ? replicas[slot] : 0;
  }

  /** How many replicas are on that mount. */
  long replicas(int slot, long generation) {
    return holds(slot, generation) ? replicas[slot] : 0;
  }

  /** How many bytes the replicas on that mount have. */
  long bytes(int slot, long generation) {
    return holds(slot, generation) ? bytes[slot] : 0;
  }

  private boolean holds(int slot, long generation) {
    return slot < generations.length && generations[slot] == generation;
  }

  /** How many bytes the replicas in a slot have. */
  long bytes(int slot) {
    return slot < bytes.length ? bytes[slot] : 0;
  }
}
