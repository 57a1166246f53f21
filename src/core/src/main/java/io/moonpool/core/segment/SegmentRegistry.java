package io.moonpool.core.segment;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.allocation.ExtentMemory;
import io.moonpool.core.allocation.Placement;
import io.moonpool.core.allocation.PlacementSegment;
import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.allocation.PublishedPlacement;
import io.moonpool.core.allocation.SegmentAllocator;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The mounted segments: the one place where they come, go and change status. Belongs to the segment
 * owner's loop.
 *
 * <p>Every operation answers with the {@link SegmentChange}s that the caller sends to all metadata
 * loops, in order. What those loops need to allocate they find in {@link #placement()}, which this
 * class keeps up to date.
 *
 * <p>Each mount has a slot, a small number that is used again, and a generation, {@code master
 * epoch << 32 | counter}, that never is. An unmount has two halves: {@link #unmount} hides the
 * segment and has the metadata loops remove what is on it; {@link #swept} empties the slot when all
 * of them have.
 *
 * <p>Longer than most classes: every way in which a segment comes, changes and goes is here, and
 * all of them keep the same few collections in step.
 */
public final class SegmentRegistry {
  /** The smallest segment, in bytes. */
  public static final long MIN_SIZE = 1024;

  /** The largest segment, in bytes. */
  public static final long MAX_SIZE = SegmentAllocator.MAX_CAPACITY_BYTES;

  /** The most segments at one time: replicas store the slot in 16 bits. */
  public static final int MAX_SLOTS = 1 << 16;

  private static final UUID NIL = new UUID(0, 0);

  /** One mounted segment. */
  private static final class Mount {
    /** Replaced when a restored segment is confirmed: its node may be reached differently now. */
    SegmentSpec spec;

    final UUID nodeId;
    final int slot;
    final long generation;

    /** The journal's number of a disk; 0 for memory. */
    final int disk;

    /** Null for a disk, in which the node itself finds the place. */
    final @Nullable SegmentAllocator allocator;

    SegmentStatus status = SegmentStatus.OK;
    ClientState ownerState;
    boolean takesOffloads = true;

    /** All that is on it is known: nothing is on memory that is mounted. */
    boolean scanned;

    long diskUsedBytes;
    long graceDeadlineMillis;

    /** Known from an earlier life of the master, and its node has not mounted it in this one. */
    boolean restored;

    long confirmByMillis;

    Mount(
        SegmentSpec spec,
        UUID nodeId,
        ClientState ownerState,
        int slot,
        long generation,
        int disk,
        @Nullable SegmentAllocator allocator) {
      this.spec = spec;
      this.nodeId = nodeId;
      this.ownerState = ownerState;
      this.slot = slot;
      this.generation = generation;
      this.disk = disk;
      this.allocator = allocator;
      this.scanned = allocator != null;
    }

    SegmentKind kind() {
      return allocator == null ? SegmentKind.LOCAL_DISK : SegmentKind.MEMORY;
    }

    void count() {
      if (allocator != null) {
        allocator.setCounted(allocatable());
      }
    }

    boolean serving() {
      return ownerState == ClientState.ACTIVE;
    }

    boolean allocatable() {
      return status == SegmentStatus.OK && serving();
    }

    SegmentInfo info() {
      return new SegmentInfo(
          spec,
          nodeId,
          generation,
          status,
          ownerState,
          allocator == null ? diskUsedBytes : allocator.usedBytes());
    }
  }

  private final long masterEpoch;
  private final ExtentMemory extentMemory;
  private final AllocationStrategy strategy;
  private final PoolUsage usage = new PoolUsage();
  private final PublishedPlacement placement;

  /** In order of mounting. */
  private final Map<Long, Mount> byGeneration = new LinkedHashMap<>();

  private final Map<UUID, Mount> byId = new LinkedHashMap<>();
  private final Map<UUID, List<Mount>> byNode = new LinkedHashMap<>();

  /** The segments with a grace period, the next to end first. */
  private final TreeSet<Mount> graceful =
      new TreeSet<>(
          Comparator.<Mount>comparingLong(mount -> mount.graceDeadlineMillis)
              .thenComparingLong(mount -> mount.generation));

  /** The segments that wait for their nodes, the next to be given up first. */
  private final TreeSet<Mount> restored =
      new TreeSet<>(
          Comparator.<Mount>comparingLong(mount -> mount.confirmByMillis)
              .thenComparingLong(mount -> mount.generation));

  /** Before that time none of them is given up. */
  private long keepRestoredMillis;

  private final BitSet takenSlots = new BitSet();
  private final RampUp<Mount> rampUp;

  /** Small numbers of the nodes that have a mount. */
  private final Map<UUID, Integer> nodeNumbers = new HashMap<>();

  private final BitSet takenNodeNumbers = new BitSet();
  private int counter;

  /**
   * A registry without segments.
   *
   * @param masterEpoch of this start of the master, 1 to 2^31-1
   * @throws IllegalArgumentException when the epoch is out of range
   */
  public SegmentRegistry(long masterEpoch, AllocationStrategy strategy) {
    this(masterEpoch, strategy, 0);
  }

  /**
   * A registry without segments.
   *
   * @param masterEpoch of this start of the master, 1 to 2^31-1
   * @param rampUpMillis how long a segment that joins takes less than its share of new objects; 0
   *     for not at all. See {@link #rampUp}
   * @throws IllegalArgumentException when the epoch is out of range
   */
  public SegmentRegistry(long masterEpoch, AllocationStrategy strategy, long rampUpMillis) {
    this(masterEpoch, strategy, rampUpMillis, ExtentMemory.ofProcess());
  }

  /** The same with a source for the memory of the allocators' tables. */
  public SegmentRegistry(
      long masterEpoch, AllocationStrategy strategy, long rampUpMillis, ExtentMemory memory) {
    if (masterEpoch < 1 || masterEpoch > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("master epoch must be 1 to 2^31-1, not " + masterEpoch);
    }
    this.masterEpoch = masterEpoch;
    this.strategy = strategy;
    this.placement = new PublishedPlacement(Placement.of(strategy, List.of()));
    this.rampUp = new RampUp<>(rampUpMillis);
    this.extentMemory = memory;
  }

  /** Where any loop finds the segments to allocate in. */
  public PublishedPlacement placement() {
    return placement;
  }

  /** How full the allocatable segments are. Any thread may read it. */
  public PoolUsage usage() {
    return usage;
  }

  /**
   * Mounts memory segments of a node. Repeating it for a mounted segment changes nothing and
   * answers its generation.
   *
   * @param ownerState the node's liveness
   * @return for each segment, in order: OK; INVALID_PARAMS for a bad spec or one that differs from
   *     the mounted segment's; SEGMENT_ALREADY_EXISTS when another node has a segment of that id;
   *     UNAVAILABLE_IN_CURRENT_STATUS while an unmount of it goes on, when the node is OFFLINE, or
   *     when there are too many segments
   */
  public SegmentUpdate<List<MountResult>> mount(
      UUID nodeId, ClientState ownerState, List<SegmentSpec> specs) {
    List<SegmentChange> changes = new ArrayList<>(specs.size());
    List<MountResult> results = new ArrayList<>(specs.size());
    for (SegmentSpec spec : specs) {
      results.add(mount(nodeId, ownerState, spec, 0, changes));
    }
    publishAfter(changes);
    return new SegmentUpdate<>(List.copyOf(results), changes);
  }

  /**
   * Mounts a node's disk, a LOCAL_DISK segment whose id outlives node and master.
   *
   * @param spec its size is the quota, in bytes
   * @param disk the number that the journal knows the disk by, at least 1
   * @return as {@link #mount}; also INVALID_PARAMS when the node has mounted another disk
   */
  public SegmentUpdate<MountResult> mountDisk(
      UUID nodeId, ClientState ownerState, SegmentSpec spec, int disk) {
    if (disk < 1) {
      throw new IllegalArgumentException("a disk's number is at least 1, not " + disk);
    }
    List<SegmentChange> changes = new ArrayList<>(1);
    MountResult result = mount(nodeId, ownerState, spec, disk, changes);
    publishAfter(changes);
    return new SegmentUpdate<>(result, changes);
  }

  private MountResult mount(
      UUID nodeId,
      ClientState ownerState,
      SegmentSpec spec,
      int disk,
      List<SegmentChange> changes) {
    MountResult refusal = refusal(nodeId, ownerState, spec, disk);
    if (refusal != null) {
      return refusal;
    }
    Mount known = byId.get(spec.id());
    if (known == null) {
      known = create(nodeId, ownerState, spec, disk);
      changes.add(
          new SegmentChange.Mounted(
              known.slot,
              known.generation,
              known.kind(),
              known.status,
              known.serving(),
              nodeNumbers.computeIfAbsent(nodeId, ignored -> newNodeNumber()),
              disk,
              spec.reach()));
    } else if (known.restored) {
      confirm(known, ownerState, spec, changes);
    }
    return MountResult.mounted(known.generation);
  }

  /**
   * Knows a memory segment again that a node lent to an earlier life of the master. What is on it
   * is in the index and not served, and nothing is placed there, until the node mounts the segment:
   * then it is as if it had never been away, for the price of one change a loop, however many
   * replicas are on it. The caller puts the replicas into the index.
   *
   * @param nodeId who lent it
   * @param spec as it was mounted; the node may come back with other endpoints, with nothing else
   * @param confirmByMillis on the clock that {@link #endRestored} is called with
   * @return OK with slot and generation of its mount in this life of the master; otherwise as
   *     {@link #mount}
   */
  public SegmentUpdate<Outcome<SegmentMount>> restore(
      UUID nodeId, SegmentSpec spec, long confirmByMillis) {
    if (byId.containsKey(spec.id())) {
      return new SegmentUpdate<>(Outcome.error(ErrorCode.SEGMENT_ALREADY_EXISTS), List.of());
    }
    List<SegmentChange> changes = new ArrayList<>(1);
    MountResult result = mount(nodeId, ClientState.SUSPECTED, spec, 0, changes);
    Mount mount = byId.get(spec.id());
    if (mount == null) {
      return new SegmentUpdate<>(Outcome.error(result.code()), List.of());
    }
    mount.restored = true;
    mount.confirmByMillis = confirmByMillis;
    // It is as full as it was: no stream of new objects waits for it.
    rampUp.remove(mount);
    restored.add(mount);
    publishAfter(changes);
    return new SegmentUpdate<>(Outcome.of(new SegmentMount(mount.slot, mount.generation)), changes);
  }

  private void confirm(
      Mount mount, ClientState ownerState, SegmentSpec spec, List<SegmentChange> changes) {
    boolean served = mount.serving();
    restored.remove(mount);
    mount.restored = false;
    mount.spec = spec;
    mount.ownerState = ownerState;
    mount.count();
    if (served != mount.serving()) {
      changes.add(new SegmentChange.ServingChanged(mount.slot, mount.generation, mount.serving()));
    }
  }

  /**
   * Gives up the restored segments that their nodes have not mounted in time: these are OFFLINE,
   * and their unmounts begin.
   *
   * @param nowMillis on the clock of {@link #restore}
   */
  public List<SegmentChange> endRestored(long nowMillis) {
    if (nowMillis < keepRestoredMillis) {
      return List.of();
    }
    List<SegmentChange> changes = new ArrayList<>();
    while (!restored.isEmpty() && restored.first().confirmByMillis <= nowMillis) {
      Mount mount = restored.first();
      mount.ownerState = ClientState.OFFLINE;
      change(mount, SegmentEvent.UNMOUNT, changes);
    }
    publishAfter(changes);
    return List.copyOf(changes);
  }

  /**
   * Nodes may not have been able to come: no restored segment is given up before that time.
   *
   * @param untilMillis on the clock of {@link #restore}
   */
  public void keepRestored(long untilMillis) {
    keepRestoredMillis = Math.max(keepRestoredMillis, untilMillis);
  }

  /** How many segments wait for their nodes. */
  public int restored() {
    return restored.size();
  }

  private int newNodeNumber() {
    int number = takenNodeNumbers.nextClearBit(0);
    takenNodeNumbers.set(number);
    return number;
  }

  /**
   * What a node tells of its disk: how full it is, and whether it takes offloads.
   *
   * @param usedBytes that it takes of its file system
   * @param accepting whether it takes offloads from now on
   * @return empty when nothing changed for the metadata loops, or no disk of that generation is
   *     mounted
   */
  public List<SegmentChange> diskChanged(long generation, long usedBytes, boolean accepting) {
    Mount mount = byGeneration.get(generation);
    if (mount == null || mount.kind() != SegmentKind.LOCAL_DISK) {
      return List.of();
    }
    mount.diskUsedBytes = usedBytes;
    if (mount.takesOffloads == accepting) {
      return List.of();
    }
    mount.takesOffloads = accepting;
    return List.of(new SegmentChange.OffloadChanged(mount.slot, generation, accepting));
  }

  /** All that is on the disk of that mount has been reported, and the metadata loops know it. */
  public void scanned(long generation) {
    Mount mount = byGeneration.get(generation);
    if (mount != null) {
      mount.scanned = true;
    }
  }

  /** Whether all that is on a mounted segment is known: memory, and disks that are scanned. */
  public boolean isScanned(long generation) {
    Mount mount = byGeneration.get(generation);
    return mount != null && mount.scanned;
  }

  /**
   * The mount of a generation.
   *
   * @throws IllegalArgumentException when there is none
   */
  public SegmentMount mountOf(long generation) {
    Mount mount = byGeneration.get(generation);
    if (mount == null) {
      throw new IllegalArgumentException("no segment is mounted as " + generation);
    }
    return new SegmentMount(mount.slot, generation);
  }

  private @Nullable MountResult refusal(
      UUID nodeId, ClientState ownerState, SegmentSpec spec, int disk) {
    if (spec.id().equals(NIL) || spec.name().isEmpty()) {
      return MountResult.refused(
          ErrorCode.INVALID_PARAMS, "a segment needs an id other than zero and a name");
    }
    if (disk == 0 && (spec.size() < MIN_SIZE || spec.size() > MAX_SIZE)) {
      return MountResult.refused(
          ErrorCode.INVALID_PARAMS,
          "segment "
              + spec.name()
              + " has "
              + spec.size()
              + " bytes: lend 1 KiB to 1 TiB per segment, and several segments for more");
    }
    if (ownerState == ClientState.OFFLINE) {
      return MountResult.refused(
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
          "node " + nodeId + " is OFFLINE: register it again, then mount");
    }
    if (disk != 0 && spec.size() < MIN_SIZE) {
      return MountResult.refused(
          ErrorCode.INVALID_PARAMS,
          "disk "
              + spec.name()
              + " has a quota of "
              + spec.size()
              + " bytes: give it 1 KiB or more");
    }
    Mount known = byId.get(spec.id());
    if (known == null) {
      Mount other = disk == 0 ? null : diskOf(nodeId);
      if (other != null) {
        return MountResult.refused(
            ErrorCode.INVALID_PARAMS,
            "node "
                + nodeId
                + " has mounted disk "
                + other.spec.id()
                + " already: a node lends one disk");
      }
      return takenSlots.cardinality() < MAX_SLOTS
          ? null
          : MountResult.refused(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
              MAX_SLOTS + " segments are mounted: lend fewer and larger ones");
    }
    if (!known.nodeId.equals(nodeId)) {
      return MountResult.refused(
          ErrorCode.SEGMENT_ALREADY_EXISTS,
          "segment " + spec.id() + " belongs to node " + known.nodeId + ": use another id");
    }
    if (known.status == SegmentStatus.UNMOUNTING) {
      return MountResult.refused(
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
          "an unmount of segment " + spec.id() + " goes on: try again when it has ended");
    }
    if (!(known.restored ? isSame(known.spec, spec) : known.spec.equals(spec))
        || known.disk != disk) {
      return MountResult.refused(
          ErrorCode.INVALID_PARAMS,
          "segment "
              + spec.id()
              + " is mounted with other properties: unmount it first, or use another id");
    }
    return null;
  }

  /** Whether a segment is the one that was there, whatever the way to its memory is now. */
  private static boolean isSame(SegmentSpec was, SegmentSpec is) {
    return is.kind() == was.kind() && is.size() == was.size() && is.name().equals(was.name());
  }

  private @Nullable Mount diskOf(UUID nodeId) {
    for (Mount mount : byNode.getOrDefault(nodeId, List.of())) {
      if (mount.kind() == SegmentKind.LOCAL_DISK) {
        return mount;
      }
    }
    return null;
  }

  private Mount create(UUID nodeId, ClientState ownerState, SegmentSpec spec, int disk) {
    int slot = takenSlots.nextClearBit(0);
    long generation = masterEpoch << 32 | Integer.toUnsignedLong(++counter);
    Mount mount =
        new Mount(
            spec,
            nodeId,
            ownerState,
            slot,
            generation,
            disk,
            disk == 0
                ? new SegmentAllocator(slot, generation, spec.size(), usage, extentMemory)
                : null);
    takenSlots.set(slot);
    byGeneration.put(generation, mount);
    byId.put(spec.id(), mount);
    byNode.computeIfAbsent(nodeId, id -> new ArrayList<>()).add(mount);
    mount.count();
    if (mount.allocator != null) {
      rampUp.add(mount);
    }
    return mount;
  }

  /**
   * Begins to unmount a segment: nobody gets to see it any more, and the metadata loops remove what
   * is on it. Call {@link #swept} when all have.
   *
   * @return OK; SEGMENT_NOT_FOUND; INVALID_PARAMS when it is another node's;
   *     UNAVAILABLE_IN_CURRENT_STATUS when an unmount of it goes on already
   */
  public SegmentUpdate<ErrorCode> unmount(UUID nodeId, UUID segmentId) {
    Mount mount = byId.get(segmentId);
    ErrorCode refusal = refusal(mount, nodeId);
    if (mount == null || refusal != ErrorCode.OK) {
      return new SegmentUpdate<>(refusal, List.of());
    }
    return happen(mount, SegmentEvent.UNMOUNT);
  }

  /**
   * Has a segment take no new objects, and be unmounted when a grace period is over. When repeated,
   * the earlier end counts.
   *
   * @param graceMillis at least 0
   * @param nowMillis on the clock that {@link #endGrace} is called with
   * @return as {@link #unmount}; also INVALID_PARAMS for a negative period, and
   *     UNAVAILABLE_IN_CURRENT_STATUS for a DRAINED segment, which can be unmounted at once
   */
  public SegmentUpdate<ErrorCode> unmountLater(
      UUID nodeId, UUID segmentId, long graceMillis, long nowMillis) {
    Mount mount = byId.get(segmentId);
    ErrorCode refusal = graceMillis < 0 ? ErrorCode.INVALID_PARAMS : refusal(mount, nodeId);
    if (mount == null || refusal != ErrorCode.OK) {
      return new SegmentUpdate<>(refusal, List.of());
    }
    boolean again = graceful.remove(mount);
    long deadline = nowMillis + Math.min(graceMillis, Long.MAX_VALUE - Math.max(0, nowMillis));
    SegmentUpdate<ErrorCode> update = happen(mount, SegmentEvent.UNMOUNT_LATER);
    if (update.result() == ErrorCode.OK) {
      mount.graceDeadlineMillis = again ? Math.min(mount.graceDeadlineMillis, deadline) : deadline;
      graceful.add(mount);
    }
    return update;
  }

  private static ErrorCode refusal(@Nullable Mount mount, UUID nodeId) {
    if (mount == null) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    return mount.nodeId.equals(nodeId) ? ErrorCode.OK : ErrorCode.INVALID_PARAMS;
  }

  /** When the next grace period ends; empty when there is none. */
  public OptionalLong nextGraceEndMillis() {
    return graceful.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(graceful.first().graceDeadlineMillis);
  }

  /** Begins to unmount all segments whose grace period is over. */
  public List<SegmentChange> endGrace(long nowMillis) {
    List<SegmentChange> changes = new ArrayList<>();
    while (!graceful.isEmpty() && graceful.first().graceDeadlineMillis <= nowMillis) {
      change(graceful.first(), SegmentEvent.UNMOUNT, changes);
    }
    publishAfter(changes);
    return List.copyOf(changes);
  }

  /**
   * Follows the liveness of a node: its segments are served only while it is ACTIVE, and OFFLINE
   * begins to unmount them all. Restored ones are not served before the node mounts them.
   */
  public List<SegmentChange> ownerChanged(UUID nodeId, ClientState state) {
    List<SegmentChange> changes = new ArrayList<>();
    for (Mount mount : byNode.getOrDefault(nodeId, List.of())) {
      if (mount.status == SegmentStatus.UNMOUNTING) {
        // What is on its way out stays OFFLINE or whatever it was: nobody can see it.
        continue;
      }
      if (mount.restored && state != ClientState.OFFLINE) {
        // The node is there, but has not said that this memory still is.
        continue;
      }
      boolean served = mount.serving();
      mount.ownerState = state;
      if (served != mount.serving()) {
        changes.add(
            new SegmentChange.ServingChanged(mount.slot, mount.generation, mount.serving()));
        mount.count();
      }
      if (state == ClientState.OFFLINE) {
        change(mount, SegmentEvent.UNMOUNT, changes);
      }
    }
    publishAfter(changes);
    return List.copyOf(changes);
  }

  /**
   * Ends an unmount, after all metadata loops have removed what was on the segment: its id may be
   * mounted again, its slot is used again.
   *
   * @throws IllegalStateException when no unmount of that generation goes on, which is a bug
   */
  public List<SegmentChange> swept(long generation) {
    Mount mount = byGeneration.get(generation);
    if (mount == null || SegmentEvent.SWEPT.after(mount.status).isEmpty()) {
      throw new IllegalStateException("no unmount goes on of generation " + generation);
    }
    byGeneration.remove(generation);
    byId.remove(mount.spec.id());
    rampUp.remove(mount);
    takenSlots.clear(mount.slot);
    List<Mount> ofNode = byNode.getOrDefault(mount.nodeId, List.of());
    ofNode.remove(mount);
    if (ofNode.isEmpty()) {
      byNode.remove(mount.nodeId);
      Integer number = nodeNumbers.remove(mount.nodeId);
      if (number != null) {
        takenNodeNumbers.clear(number);
      }
    }
    List<SegmentChange> changes =
        List.of(new SegmentChange.Unmounted(mount.slot, mount.generation));
    publishAfter(changes);
    return changes;
  }

  /**
   * Begins or ends a drain of a segment.
   *
   * @param event DRAIN, EMPTIED or RESUME
   * @return OK; SEGMENT_NOT_FOUND; UNAVAILABLE_IN_CURRENT_STATUS when the segment's status does not
   *     allow it
   * @throws IllegalArgumentException for another event: those have methods of their own
   */
  public SegmentUpdate<ErrorCode> drain(UUID segmentId, SegmentEvent event) {
    if (event != SegmentEvent.DRAIN
        && event != SegmentEvent.EMPTIED
        && event != SegmentEvent.RESUME) {
      throw new IllegalArgumentException(event + " is not part of a drain");
    }
    Mount mount = byId.get(segmentId);
    return mount == null
        ? new SegmentUpdate<>(ErrorCode.SEGMENT_NOT_FOUND, List.of())
        : happen(mount, event);
  }

  private SegmentUpdate<ErrorCode> happen(Mount mount, SegmentEvent event) {
    List<SegmentChange> changes = new ArrayList<>(1);
    ErrorCode code = change(mount, event, changes);
    publishAfter(changes);
    return new SegmentUpdate<>(code, changes);
  }

  private ErrorCode change(Mount mount, SegmentEvent event, List<SegmentChange> changes) {
    Optional<SegmentStatus> next = event.after(mount.status);
    if (next.isEmpty()) {
      return ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
    }
    if (next.get() != mount.status) {
      mount.status = next.get();
      mount.count();
      changes.add(new SegmentChange.StatusChanged(mount.slot, mount.generation, mount.status));
    }
    if (event == SegmentEvent.UNMOUNT) {
      graceful.remove(mount);
      restored.remove(mount);
      mount.restored = false;
    }
    return ErrorCode.OK;
  }

  private void publishAfter(List<SegmentChange> changes) {
    if (!changes.isEmpty()) {
      publish();
    }
  }

  private void publish() {
    List<PlacementSegment> mounted = new ArrayList<>(byGeneration.size());
    for (Mount mount : byGeneration.values()) {
      if (mount.allocator != null) {
        mounted.add(
            new PlacementSegment(
                mount.allocator,
                mount.spec.name(),
                mount.spec.hostId(),
                mount.allocatable(),
                rampUp.weight(mount)));
      }
    }
    placement.publish(Placement.of(strategy, mounted));
  }

  /**
   * Has the segments that joined lately take a larger part of their share of new objects, as time
   * goes by. Call it again and again; it costs nothing while there is none of them.
   *
   * @param nowMillis monotonic; a segment's time begins at the first call after its mount
   */
  public void rampUp(long nowMillis) {
    if (rampUp.advance(nowMillis)) {
      publish();
    }
  }

  /** How many segments take less than their share of new objects. */
  public int ramping() {
    return rampUp.size();
  }

  /** All segments, in order of mounting. */
  public List<SegmentInfo> list() {
    return byGeneration.values().stream().map(Mount::info).toList();
  }

  /** The number of the disk of that mount; 0 when it is memory or not mounted any more. */
  public int disk(long generation) {
    Mount mount = byGeneration.get(generation);
    return mount == null ? 0 : mount.disk;
  }

  /** What the segment of that mount is made of; empty when it is not mounted any more. */
  public Optional<SegmentKind> kind(long generation) {
    return Optional.ofNullable(byGeneration.get(generation)).map(Mount::kind);
  }

  /** The segment of that mount; empty when it is not mounted any more, or never was. */
  public Optional<SegmentInfo> find(long generation) {
    return Optional.ofNullable(byGeneration.get(generation)).map(Mount::info);
  }

  /** The mounted segment with that id; empty when there is none. */
  public Optional<SegmentInfo> findById(UUID segmentId) {
    return Optional.ofNullable(byId.get(segmentId)).map(Mount::info);
  }

  /** The names of a node's memory segments, those on their way out included. */
  public List<String> memoryNamesOf(UUID nodeId) {
    return byNode.getOrDefault(nodeId, List.of()).stream()
        .filter(mount -> mount.kind() == SegmentKind.MEMORY)
        .map(mount -> mount.spec.name())
        .toList();
  }

  /** How many segments a node has mounted, those on their way out included. */
  public int countOf(UUID nodeId) {
    return byNode.getOrDefault(nodeId, List.of()).size();
  }
}
