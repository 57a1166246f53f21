package io.moonpool.core.allocation;

import java.util.Arrays;

/**
 * Extents in columns, to be filled and emptied again and again without garbage. Belongs to one
 * thread at a time.
 */
public final class ExtentList {
  private static final int INITIAL_CAPACITY = 16;

  private int[] slots = new int[INITIAL_CAPACITY];
  private int[] nodes = new int[INITIAL_CAPACITY];
  private long[] generations = new long[INITIAL_CAPACITY];
  private long[] offsetUnits = new long[INITIAL_CAPACITY];
  private long[] lengths = new long[INITIAL_CAPACITY];
  private int size;

  /** Appends an extent. */
  public void add(int slot, long generation, long offsetUnits, long length, int node) {
    if (size == slots.length) {
      int capacity = size * 2;
      slots = Arrays.copyOf(slots, capacity);
      nodes = Arrays.copyOf(nodes, capacity);
      generations = Arrays.copyOf(generations, capacity);
      this.offsetUnits = Arrays.copyOf(this.offsetUnits, capacity);
      lengths = Arrays.copyOf(lengths, capacity);
    }
    slots[size] = slot;
    nodes[size] = node;
    generations[size] = generation;
    this.offsetUnits[size] = offsetUnits;
    lengths[size] = length;
    size++;
  }

  /** Appends an extent. */
  public void add(Extent extent) {
    add(extent.slot(), extent.generation(), extent.offsetUnits(), extent.length(), extent.node());
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Empties the list and keeps its memory. */
  public void clear() {
    size = 0;
  }

  /** The slot of the extent at that index. */
  public int slot(int index) {
    return slots[check(index)];
  }

  /** The mount generation of the extent at that index. */
  public long generation(int index) {
    return generations[check(index)];
  }

  /** The offset of the extent at that index, in units of {@link Extent#UNIT} bytes. */
  public long offsetUnits(int index) {
    return offsetUnits[check(index)];
  }

  /** The length of the extent at that index, in bytes. */
  public long length(int index) {
    return lengths[check(index)];
  }

  /** The allocator's node of the extent at that index. */
  public int node(int index) {
    return nodes[check(index)];
  }

  /** The extent at that index, as a value. */
  public Extent get(int index) {
    check(index);
    return new Extent(
        slots[index],
        generations[index],
        offsetUnits[index] << Extent.UNIT_SHIFT,
        lengths[index],
        nodes[index]);
  }

  private int check(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("index " + index + " of " + size + " extents");
    }
    return index;
  }
}
