package io.moonpool.core.segment;

import io.moonpool.core.allocation.AllocatableSegments;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.Reach;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/**
 * What one metadata loop knows of the segments: by slot, the generation, the status and whether its
 * owner is ACTIVE.
 *
 * <p>It belongs to one loop and changes only by {@link #apply}, which that loop calls for the
 * changes of its queue. So all that a loop does between two changes sees the same segments: a put
 * that races an unmount finds the segment gone either before it places the object, or in the sweep
 * that follows the change in the queue.
 *
 * <p>Columns indexed by slot; every question is one or two array reads.
 */
public final class SegmentTable implements AllocatableSegments {
  /** The generation of an empty slot. No mount has it. */
  public static final long NO_GENERATION = 0;

  /** The owner of a segment of which it does not matter. */
  public static final int NO_NODE = -1;

  /** The answer when there is no such slot. */
  public static final int NO_SLOT = -1;

  private static final int INITIAL_SLOTS = 16;

  private static final byte SERVED = 1;
  private static final byte ALLOCATABLE = 1 << 1;
  private static final byte OWNER_ACTIVE = 1 << 2;
  private static final byte LIVE = 1 << 3;
  private static final byte TAKES_OFFLOADS = 1 << 4;

  private long[] generations = new long[INITIAL_SLOTS];
  private SegmentStatus[] statuses = newStatuses(INITIAL_SLOTS);
  private SegmentKind[] kinds = newKinds(INITIAL_SLOTS);

  /** The answers that reads ask for, derived from the other columns at each change. */
  private byte[] flags = new byte[INITIAL_SLOTS];

  /** Disks that take no offloads for a while. */
  private boolean[] refusing = new boolean[INITIAL_SLOTS];

  /** The owner's number and the disk's number, by slot. */
  private int[] nodes = new int[INITIAL_SLOTS];

  private int[] disks = new int[INITIAL_SLOTS];

  private Reach[] reaches = newReaches(INITIAL_SLOTS);

  /** How many segments the clients of a protocol cannot reach, by ordinal. */
  private final int[] unreachable = new int[ClientProtocol.values().length];

  private final AllocatableSegments ofMoonpool = reachable(ClientProtocol.MOONPOOL);
  private final AllocatableSegments ofMooncake = reachable(ClientProtocol.MOONCAKE);

  /** By disk number and by node number, the slot of the disk that is mounted, plus one. */
  private final Int2IntOpenHashMap slotOfDisk = new Int2IntOpenHashMap();

  private final Int2IntOpenHashMap diskSlotOfNode = new Int2IntOpenHashMap();

  private int slots;
  private int mounted;
  private long revision;

  /**
   * Applies a change. Changes must arrive in the order in which the segment owner made them.
   *
   * @throws IllegalStateException when the change does not fit what the table holds: a change was
   *     lost, repeated or reordered, which is a bug
   */
  public void apply(SegmentChange change) {
    revision++;
    switch (change) {
      case SegmentChange.Mounted mount -> mount(mount);
      case SegmentChange.StatusChanged status -> {
        check(change);
        statuses[change.slot()] = status.status();
        derive(change.slot(), ownerActive(change.slot()));
      }
      case SegmentChange.ServingChanged serving -> {
        check(change);
        derive(change.slot(), serving.serving());
      }
      case SegmentChange.OffloadChanged offload -> {
        check(change);
        refusing[change.slot()] = !offload.accepting();
        derive(change.slot(), ownerActive(change.slot()));
      }
      case SegmentChange.Unmounted unmounted -> {
        check(change);
        forgetDisk(unmounted.slot());
        generations[unmounted.slot()] = NO_GENERATION;
        statuses[unmounted.slot()] = SegmentStatus.UNDEFINED;
        flags[unmounted.slot()] = 0;
        countUnreachable(unmounted.slot(), -1);
        mounted--;
      }
    }
  }

  private void mount(SegmentChange.Mounted mount) {
    int slot = mount.slot();
    if (slot < 0 || mount.generation() == NO_GENERATION) {
      throw new IllegalStateException("not a mount: " + mount);
    }
    if (slot >= generations.length) {
      int length = Math.max(slot + 1, generations.length * 2);
      generations = Arrays.copyOf(generations, length);
      statuses = grow(statuses, newStatuses(length));
      kinds = grow(kinds, newKinds(length));
      flags = Arrays.copyOf(flags, length);
      refusing = Arrays.copyOf(refusing, length);
      nodes = Arrays.copyOf(nodes, length);
      disks = Arrays.copyOf(disks, length);
      reaches = grow(reaches, newReaches(length));
    }
    if (generations[slot] != NO_GENERATION) {
      throw new IllegalStateException(
          "slot is taken by generation " + generations[slot] + ": " + mount);
    }
    generations[slot] = mount.generation();
    statuses[slot] = mount.status();
    kinds[slot] = mount.kind();
    refusing[slot] = false;
    nodes[slot] = mount.node();
    disks[slot] = mount.disk();
    reaches[slot] = mount.reach();
    countUnreachable(slot, 1);
    if (mount.kind() == SegmentKind.LOCAL_DISK) {
      slotOfDisk.put(mount.disk(), slot + 1);
      if (mount.node() != NO_NODE) {
        diskSlotOfNode.put(mount.node(), slot + 1);
      }
    }
    slots = Math.max(slots, slot + 1);
    mounted++;
    derive(slot, mount.serving());
  }

  private void forgetDisk(int slot) {
    if (kinds[slot] == SegmentKind.LOCAL_DISK) {
      slotOfDisk.remove(disks[slot], slot + 1);
      diskSlotOfNode.remove(nodes[slot], slot + 1);
    }
  }

  private static SegmentStatus[] newStatuses(int length) {
    SegmentStatus[] column = new SegmentStatus[length];
    Arrays.fill(column, SegmentStatus.UNDEFINED);
    return column;
  }

  private static SegmentKind[] newKinds(int length) {
    SegmentKind[] column = new SegmentKind[length];
    Arrays.fill(column, SegmentKind.MEMORY);
    return column;
  }

  private static Reach[] newReaches(int length) {
    Reach[] column = new Reach[length];
    Arrays.fill(column, Reach.MOONPOOL);
    return column;
  }

  @SuppressWarnings("EnumOrdinal") // an index in memory, never stored or sent
  private void countUnreachable(int slot, int change) {
    for (ClientProtocol protocol : ClientProtocol.values()) {
      if (!reaches[slot].by(protocol)) {
        unreachable[protocol.ordinal()] += change;
      }
    }
  }

  private AllocatableSegments reachable(ClientProtocol protocol) {
    return (slot, generation) -> isAllocatable(slot, generation) && reaches[slot].by(protocol);
  }

  private static <E> E[] grow(E[] column, E[] longer) {
    System.arraycopy(column, 0, longer, 0, column.length);
    return longer;
  }

  private void check(SegmentChange change) {
    int slot = change.slot();
    if (generation(slot) != change.generation() || change.generation() == NO_GENERATION) {
      throw new IllegalStateException(
          "slot holds generation " + generation(slot) + ": cannot apply " + change);
    }
  }

  private boolean ownerActive(int slot) {
    return (flags[slot] & OWNER_ACTIVE) != 0;
  }

  private void derive(int slot, boolean ownerActive) {
    SegmentStatus status = statuses[slot];
    boolean live = status != SegmentStatus.UNMOUNTING && status != SegmentStatus.UNDEFINED;
    boolean allocatable =
        status == SegmentStatus.OK && ownerActive && kinds[slot] == SegmentKind.MEMORY;
    int derived = live ? LIVE : 0;
    derived |= ownerActive ? OWNER_ACTIVE : 0;
    derived |= live && ownerActive ? SERVED : 0;
    derived |= allocatable ? ALLOCATABLE : 0;
    boolean takesOffloads =
        status == SegmentStatus.OK
            && ownerActive
            && kinds[slot] == SegmentKind.LOCAL_DISK
            && !refusing[slot];
    derived |= takesOffloads ? TAKES_OFFLOADS : 0;
    flags[slot] = (byte) derived;
  }

  private boolean has(int slot, long generation, byte flag) {
    return slot >= 0
        && slot < slots
        && generations[slot] == generation
        && (flags[slot] & flag) != 0;
  }

  /** True when that mount is there and not on its way out: its replicas exist. */
  public boolean isLive(int slot, long generation) {
    return has(slot, generation, LIVE);
  }

  /** True when replicas there may be given to readers: live, and the owner is ACTIVE. */
  public boolean isServed(int slot, long generation) {
    return has(slot, generation, SERVED);
  }

  @Override
  public boolean isAllocatable(int slot, long generation) {
    return has(slot, generation, ALLOCATABLE);
  }

  /**
   * The segments that clients of a protocol can write, of those that take new objects. Changes with
   * the table; ask for it again after each change, since it is quicker while all can be written.
   */
  @SuppressWarnings("EnumOrdinal") // an index in memory, never stored or sent
  public AllocatableSegments reachableBy(ClientProtocol protocol) {
    if (unreachable[protocol.ordinal()] == 0) {
      return this;
    }
    return protocol == ClientProtocol.MOONPOOL ? ofMoonpool : ofMooncake;
  }

  /**
   * Which clients can write and read the segment in a slot.
   *
   * @param slot of a segment that is mounted
   */
  public Reach reach(int slot) {
    return reaches[slot];
  }

  /** True when a disk may be given objects of memory: as {@link #isAllocatable}, for disks. */
  public boolean takesOffloads(int slot, long generation) {
    return has(slot, generation, TAKES_OFFLOADS);
  }

  /** True when new replicas may be registered there: live, and not on its way out. */
  public boolean takesReplicas(int slot, long generation) {
    return has(slot, generation, LIVE) && statuses[slot] == SegmentStatus.OK;
  }

  /** The slot of the live disk of that number, or {@link #NO_SLOT} when it is not mounted. */
  public int slotOfDisk(int disk) {
    return live(slotOfDisk.get(disk) - 1);
  }

  /**
   * The slot of the live disk of the node that a segment belongs to, or {@link #NO_SLOT}.
   *
   * @param slot of a segment that is mounted
   */
  public int diskSlotOf(int slot) {
    return live(diskSlotOfNode.get(nodes[slot]) - 1);
  }

  /** Whether two segments that are mounted belong to the same node. */
  public boolean sameNode(int slot, int other) {
    return nodes[slot] != NO_NODE && nodes[slot] == nodes[other];
  }

  private int live(int slot) {
    return slot >= 0 && (flags[slot] & LIVE) != 0 ? slot : NO_SLOT;
  }

  /** The number of the disk in that slot; 0 when it is no disk. */
  public int disk(int slot) {
    return generation(slot) == NO_GENERATION ? 0 : disks[slot];
  }

  /** Grows with every change. */
  public long revision() {
    return revision;
  }

  /** The generation in that slot, or {@link #NO_GENERATION} when it is empty. */
  public long generation(int slot) {
    return slot >= 0 && slot < slots ? generations[slot] : NO_GENERATION;
  }

  /** The status of the segment in that slot, {@link SegmentStatus#UNDEFINED} when it is empty. */
  public SegmentStatus status(int slot) {
    return slot >= 0 && slot < slots ? statuses[slot] : SegmentStatus.UNDEFINED;
  }

  /**
   * What the segment in that slot is made of.
   *
   * @throws IllegalArgumentException when the slot is empty
   */
  public SegmentKind kind(int slot) {
    if (generation(slot) == NO_GENERATION) {
      throw new IllegalArgumentException("no segment in slot " + slot);
    }
    return kinds[slot];
  }

  /** One more than the highest slot that was ever taken. */
  public int slots() {
    return slots;
  }

  /** How many segments are mounted, those on their way out included. */
  public int mounted() {
    return mounted;
  }
}
