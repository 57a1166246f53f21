package io.moonpool.core.allocation;

import io.moonpool.model.ReplicateConfig;
import java.util.List;

/**
 * One search for space: the state of a single {@link Placement#allocate}.
 *
 * <p>The order of the search: preferred segments; then, for local-first, the hosts from the
 * writer's on; or, for free-ratio-first, the emptiest of a sample; then all groups from a random
 * one on; then those that passed it on; last, a few more rounds over those whose lock was taken.
 */
final class PlacementWalk {
  /** Attempts per walk that got as far as the lock. */
  static final int MAX_ATTEMPTS = 100;

  /** How many groups with a taken lock are remembered. */
  static final int MAX_BUSY = 16;

  /** How often those are tried again, with a pause that doubles: some 20 microseconds in all. */
  static final int BUSY_ROUNDS = 6;

  /** Groups sampled per wanted replica by free-ratio-first, and the most sampled at all. */
  static final int SAMPLE_PER_REPLICA = 6;

  static final int MAX_SAMPLE = 96;

  /** How often another first group is drawn when a reluctant one passes on. */
  static final int MAX_DRAWS = 8;

  private static final int FIRST_PAUSE_SPINS = 8;

  private static final int CHANCES = 1 << 20;

  private static final int[] NO_GROUPS = {};

  private final Placement placement;
  private final Placement.Group[] groups;
  private final ReplicateConfig config;
  private final long size;
  private final long keyHash;
  private final AllocatableSegments known;
  private final ExtentList out;

  private long random;
  private int remaining;

  /** Groups that hold a replica; needed only when there can be another one. */
  private final int[] placed;

  private int placedCount;

  private int[] busy = NO_GROUPS;
  private int busyCount;

  private int attempts;
  private boolean couldHold;

  /** Some group passed the object on. */
  private boolean passedOn;

  /** Nobody may pass it on any more. */
  private boolean insisting;

  PlacementWalk(
      Placement placement,
      ReplicateConfig config,
      long size,
      long keyHash,
      long random,
      AllocatableSegments known,
      ExtentList out) {
    this.placement = placement;
    this.groups = placement.groups();
    this.config = config;
    this.size = size;
    this.keyHash = keyHash;
    this.random = random;
    this.known = known;
    this.out = out;
    this.remaining = Math.min(config.replicaNum(), groups.length);
    this.placed = remaining > 1 ? new int[remaining] : NO_GROUPS;
  }

  AllocationResult run() {
    preferred(config.preferredSegments());
    if (remaining > 0 && wantsLocal()) {
      hostsFromWriters();
    } else if (remaining > 0 && placement.strategy() == AllocationStrategy.FREE_RATIO_FIRST) {
      emptiestOfSample();
    }
    if (remaining > 0) {
      fromRandom();
    }
    if (remaining > 0 && passedOn) {
      insisting = true;
      fromRandom();
    }
    if (remaining > 0 && busyCount > 0) {
      busyAgain();
    }
    if (placedCount > 0) {
      return AllocationResult.ALLOCATED;
    }
    if (busyCount > 0) {
      return AllocationResult.BUSY;
    }
    return couldHold ? AllocationResult.FULL : AllocationResult.NO_SEGMENT;
  }

  private boolean wantsLocal() {
    return config.replicaNum() == 1
        && !config.hostId().isEmpty()
        && (placement.strategy() == AllocationStrategy.LOCAL_FIRST
            || config.preferAllocInSameNode());
  }

  private void preferred(List<String> names) {
    attempts = 0;
    for (int i = 0; i < names.size() && mayGoOn(i); i++) {
      Integer group = placement.groupByName(names.get(i));
      if (group != null) {
        tryGroup(group);
      }
    }
  }

  /** Hosts in order of their id from the writer's on; the groups of each rotated by the key. */
  private void hostsFromWriters() {
    Placement.Host[] hosts = placement.hosts();
    int first = firstHostFrom(hosts, config.hostId());
    attempts = 0;
    int visits = 0;
    for (int h = 0; h < hosts.length; h++) {
      int[] ofHost = hosts[(first + h) % hosts.length].groups();
      int start = (int) Math.floorMod(keyHash, (long) ofHost.length);
      for (int i = 0; i < ofHost.length; i++) {
        if (!mayGoOn(visits++)) {
          return;
        }
        ask(ofHost[(start + i) % ofHost.length]);
      }
    }
  }

  /** The index of that host, or of the next greater one, or 0 after the last. */
  private static int firstHostFrom(Placement.Host[] hosts, String id) {
    int low = 0;
    int high = hosts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (hosts[middle].id().compareTo(id) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == hosts.length ? 0 : low;
  }

  private void emptiestOfSample() {
    int count = Math.min(Math.min(SAMPLE_PER_REPLICA * remaining, MAX_SAMPLE), groups.length);
    int start = nextIndex(groups.length);
    int[] sample = new int[count];
    double[] ratios = new double[count];
    int willing = 0;
    for (int i = 0; i < count; i++) {
      int group = (start + i) % groups.length;
      if (passesOn(group)) {
        continue;
      }
      double ratio = freeRatio(groups[group]);
      int at = willing++;
      while (at > 0 && ratios[at - 1] < ratio) {
        ratios[at] = ratios[at - 1];
        sample[at] = sample[at - 1];
        at--;
      }
      ratios[at] = ratio;
      sample[at] = group;
    }
    attempts = 0;
    for (int i = 0; i < willing && mayGoOn(i); i++) {
      tryGroup(sample[i]);
    }
  }

  private static double freeRatio(Placement.Group group) {
    long used = 0;
    long capacity = 0;
    for (SegmentAllocator allocator : group.allocators()) {
      used += allocator.usedBytes();
      capacity += allocator.capacityBytes();
    }
    return 1 - (double) used / capacity;
  }

  private void fromRandom() {
    int start = firstGroup();
    attempts = 0;
    for (int i = 0; i < groups.length && mayGoOn(i); i++) {
      int group = start + i < groups.length ? start + i : start + i - groups.length;
      if (i == 0) {
        tryGroup(group);
      } else {
        ask(group);
      }
    }
  }

  /**
   * A random group that does not pass the object on. Drawn anew each time, since otherwise the
   * neighbour of a reluctant group would get what that does not take.
   */
  private int firstGroup() {
    int group = nextIndex(groups.length);
    for (int i = 1; i < MAX_DRAWS && passesOn(group); i++) {
      group = nextIndex(groups.length);
    }
    return group;
  }

  /** Tries a group unless it passes the object on. */
  private void ask(int group) {
    if (!passesOn(group)) {
      tryGroup(group);
    }
  }

  /** Whether a reluctant group passes this object on, by chance. */
  private boolean passesOn(int group) {
    double weight = groups[group].weight();
    if (weight >= 1 || insisting) {
      return false;
    }
    boolean passes = nextIndex(CHANCES) >= weight * CHANCES;
    passedOn |= passes;
    return passes;
  }

  private void busyAgain() {
    int pause = FIRST_PAUSE_SPINS;
    for (int round = 0; round < BUSY_ROUNDS && remaining > 0 && busyCount > 0; round++) {
      for (int spin = 0; spin < pause; spin++) {
        Thread.onSpinWait();
      }
      pause *= 2;
      attempts = 0;
      int again = busyCount;
      busyCount = 0;
      for (int i = 0; i < again && remaining > 0; i++) {
        // Whoever is still busy is remembered anew, at an index that was read already.
        tryGroup(busy[i]);
      }
    }
  }

  private boolean mayGoOn(int visits) {
    return remaining > 0 && visits < Placement.MAX_VISITS && attempts < MAX_ATTEMPTS;
  }

  /** Tries the segments of a group, from a random one on, unless it holds a replica already. */
  private void tryGroup(int group) {
    for (int i = 0; i < placedCount; i++) {
      if (placed.length > 0 && placed[i] == group) {
        return;
      }
    }
    SegmentAllocator[] allocators = groups[group].allocators();
    int start = allocators.length == 1 ? 0 : nextIndex(allocators.length);
    boolean wasBusy = false;
    for (int i = 0; i < allocators.length; i++) {
      SegmentAllocator allocator = allocators[(start + i) % allocators.length];
      if (!known.isAllocatable(allocator.slot(), allocator.generation())
          || allocator.capacityBytes() < size) {
        continue;
      }
      couldHold = true;
      if (allocator.largestFreeBytes() >= size) {
        attempts++;
      }
      switch (allocator.tryAllocate(size, out)) {
        case ALLOCATED -> {
          if (placed.length > 0) {
            placed[placedCount] = group;
          }
          placedCount++;
          remaining--;
          return;
        }
        case BUSY -> wasBusy = true;
        case FULL -> {}
      }
    }
    if (wasBusy) {
      remember(group);
    }
  }

  private void remember(int group) {
    for (int i = 0; i < busyCount; i++) {
      if (busy[i] == group) {
        return;
      }
    }
    if (busy.length == 0) {
      busy = new int[MAX_BUSY];
    }
    if (busyCount < MAX_BUSY) {
      busy[busyCount++] = group;
    }
  }

  /** A random index; every call gives another one. */
  private int nextIndex(int bound) {
    // The finaliser of SplitMix64 over a Weyl sequence: cheap, and good from any start.
    random += 0x9e3779b97f4a7c15L;
    long mixed = random;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    mixed ^= mixed >>> 31;
    return (int) Math.floorMod(mixed, (long) bound);
  }
}
