package io.moonpool.core.allocation;

import io.moonpool.model.ReplicateConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All mounted memory segments at one moment, and the choice among them for new objects.
 *
 * <p>An immutable snapshot: the segment owner builds and publishes it ({@link PublishedPlacement})
 * whenever a segment comes, goes or stops to take objects; any loop uses it without a lock. A loop
 * passes its own {@link AllocatableSegments}, so a snapshot that is newer or older than what the
 * loop knows can do no harm.
 *
 * <p>Replicas of one object go to segments of different names. Fewer replicas than wanted are
 * accepted when fewer names have room, none is not. A segment whose lock is taken is passed over
 * and tried again at the end, a bounded number of times.
 *
 * <p>Segments of one name form a group; groups are sorted by name, and a second index lists them by
 * host for local-first placement. Finding a segment is a walk over groups in the strategy's order;
 * full ones cost one memory read each ({@link SegmentAllocator#largestFreeBytes}), and a walk looks
 * at no more than {@value #MAX_VISITS} groups.
 *
 * <p>A group may be reluctant, such as one that has just joined: it then passes on an object, by
 * chance, unless it is preferred or no other has room.
 */
public final class Placement {
  static final int MAX_VISITS = 1024;

  /**
   * The segments of one name.
   *
   * @param weight how willingly it takes new objects, above 0 and at most 1: the mean of its
   *     segments, relative to the most willing group
   */
  record Group(String name, SegmentAllocator[] allocators, double weight) {}

  /** The groups of one host, sorted by name. */
  record Host(String id, int[] groups) {}

  private final AllocationStrategy strategy;
  private final @Nullable SegmentAllocator[] bySlot;
  private final Group[] groups;
  private final Map<String, Integer> groupByName;
  private final Host[] hosts;

  private Placement(
      AllocationStrategy strategy,
      @Nullable SegmentAllocator[] bySlot,
      Group[] groups,
      Map<String, Integer> groupByName,
      Host[] hosts) {
    this.strategy = strategy;
    this.bySlot = bySlot;
    this.groups = groups;
    this.groupByName = groupByName;
    this.hosts = hosts;
  }

  /**
   * A snapshot.
   *
   * @param mounted all mounted memory segments, also those that take no new objects
   */
  public static Placement of(AllocationStrategy strategy, List<PlacementSegment> mounted) {
    int slots = 0;
    for (PlacementSegment segment : mounted) {
      slots = Math.max(slots, segment.allocator().slot() + 1);
    }
    @Nullable SegmentAllocator[] bySlot = new SegmentAllocator[slots];
    Map<String, List<PlacementSegment>> byName = new TreeMap<>();
    for (PlacementSegment segment : mounted) {
      bySlot[segment.allocator().slot()] = segment.allocator();
      if (segment.allocatable()) {
        byName.computeIfAbsent(segment.name(), name -> new ArrayList<>()).add(segment);
      }
    }
    Group[] groups = new Group[byName.size()];
    Map<String, Integer> groupByName = new HashMap<>();
    Map<String, int[]> byHost = new TreeMap<>();
    double most = 0;
    for (List<PlacementSegment> members : byName.values()) {
      most = Math.max(most, weight(members));
    }
    int index = 0;
    for (Map.Entry<String, List<PlacementSegment>> entry : byName.entrySet()) {
      List<PlacementSegment> members = entry.getValue();
      groups[index] =
          new Group(
              entry.getKey(),
              members.stream()
                  .map(PlacementSegment::allocator)
                  .sorted(Comparator.comparingInt(SegmentAllocator::slot))
                  .toArray(SegmentAllocator[]::new),
              // When all are reluctant, none is: somebody has to take what is written.
              weight(members) / most);
      groupByName.put(entry.getKey(), index);
      int group = index;
      members.stream()
          .map(PlacementSegment::hostId)
          .distinct()
          .forEach(host -> byHost.merge(host, new int[] {group}, Placement::concatenate));
      index++;
    }
    Host[] hosts =
        byHost.entrySet().stream()
            .map(entry -> new Host(entry.getKey(), entry.getValue()))
            .toArray(Host[]::new);
    return new Placement(strategy, bySlot, groups, groupByName, hosts);
  }

  private static double weight(List<PlacementSegment> members) {
    double sum = 0;
    for (PlacementSegment member : members) {
      sum += member.weight();
    }
    return sum / members.size();
  }

  private static int[] concatenate(int[] first, int[] second) {
    int[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** True when no segment takes new objects. Any thread. */
  public boolean isEmpty() {
    return groups.length == 0;
  }

  /**
   * Finds space for the replicas of one object. Any thread; never waits.
   *
   * @param config how many replicas, which segments first, the writer's host
   * @param size of the object in bytes
   * @param keyHash of the object's key: spreads local-first placement over the segments of a host
   * @param random 64 random bits, the only source of chance
   * @param known what the calling loop knows of the segments
   * @param out gets the extents appended, nothing unless the answer is ALLOCATED
   */
  public AllocationResult allocate(
      ReplicateConfig config,
      long size,
      long keyHash,
      long random,
      AllocatableSegments known,
      ExtentList out) {
    if (size <= 0 || config.replicaNum() <= 0) {
      return AllocationResult.INVALID;
    }
    if (groups.length == 0) {
      return AllocationResult.NO_SEGMENT;
    }
    return new PlacementWalk(this, config, size, keyHash, random, known, out).run();
  }

  /**
   * Finds space on one segment. Any thread; never waits.
   *
   * @param size in bytes, at least 1
   * @param known what the calling loop knows of the segments
   * @param out gets the extent appended, nothing unless the answer is ALLOCATED
   */
  public AllocationResult allocateOn(
      int slot, long generation, long size, AllocatableSegments known, ExtentList out) {
    SegmentAllocator allocator = allocator(slot, generation);
    if (allocator == null
        || !known.isAllocatable(slot, generation)
        || allocator.capacityBytes() < size) {
      return AllocationResult.NO_SEGMENT;
    }
    return switch (allocator.tryAllocate(size, out)) {
      case ALLOCATED -> AllocationResult.ALLOCATED;
      case FULL -> AllocationResult.FULL;
      case BUSY -> AllocationResult.BUSY;
    };
  }

  /** How much of a segment is free, 0 to 1; 0 when the snapshot does not have it. Any thread. */
  public double freeRatio(int slot, long generation) {
    SegmentAllocator allocator = allocator(slot, generation);
    return allocator == null
        ? 0
        : 1 - (double) allocator.usedBytes() / Math.max(1, allocator.capacityBytes());
  }

  /** How many bytes of a segment are free; 0 when the snapshot does not have it. Any thread. */
  public long freeBytes(int slot, long generation) {
    SegmentAllocator allocator = allocator(slot, generation);
    return allocator == null ? 0 : allocator.capacityBytes() - allocator.usedBytes();
  }

  /** Whether a segment would still be no fuller than that with so many bytes more. Any thread. */
  public boolean staysBelow(double usedRatio, int slot, long generation, long bytes) {
    SegmentAllocator allocator = allocator(slot, generation);
    return allocator != null && bytes <= left(usedRatio, allocator);
  }

  /**
   * How many bytes more a segment can hold and be no fuller than that: as many as {@link
   * #staysBelow} lets in. 0 when the snapshot does not have it. Any thread.
   */
  public long bytesBelow(double usedRatio, int slot, long generation) {
    SegmentAllocator allocator = allocator(slot, generation);
    return allocator == null ? 0 : Math.max(0, left(usedRatio, allocator));
  }

  private static long left(double usedRatio, SegmentAllocator allocator) {
    return (long) (usedRatio * allocator.capacityBytes()) - allocator.usedBytes();
  }

  /**
   * Gives an extent back. Any thread; never waits. Does nothing when its segment is no longer
   * mounted: the space went with it.
   *
   * @throws IllegalStateException when the extent is not allocated, which is a bug of the caller
   */
  public void free(int slot, long generation, long offsetUnits, int node) {
    SegmentAllocator allocator = allocator(slot, generation);
    if (allocator != null) {
      allocator.free(offsetUnits, node);
    }
  }

  /** Gives back all extents of the list from that index on; see {@link #free}. */
  public void freeFrom(ExtentList extents, int first) {
    for (int i = first; i < extents.size(); i++) {
      free(extents.slot(i), extents.generation(i), extents.offsetUnits(i), extents.node(i));
    }
  }

  /**
   * Applies, on every segment, a bounded part of what loops left behind because a lock was taken.
   * For an idle tick of the segment owner: costs a memory read per segment when there is nothing.
   *
   * @return true when something is left
   */
  public boolean settle() {
    boolean left = false;
    for (SegmentAllocator allocator : bySlot) {
      left |= allocator != null && allocator.settle();
    }
    return left;
  }

  /** The allocator of that mount, or null when the snapshot does not have it. */
  @Nullable SegmentAllocator allocator(int slot, long generation) {
    SegmentAllocator allocator = slot >= 0 && slot < bySlot.length ? bySlot[slot] : null;
    return allocator != null && allocator.generation() == generation ? allocator : null;
  }

  AllocationStrategy strategy() {
    return strategy;
  }

  Group[] groups() {
    return groups;
  }

  @Nullable Integer groupByName(String name) {
    return groupByName.get(name);
  }

  /** Hosts sorted by id. */
  Host[] hosts() {
    return hosts;
  }
}
