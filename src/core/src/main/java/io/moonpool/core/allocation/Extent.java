package io.moonpool.core.allocation;

/**
 * A piece of a segment that belongs to one replica.
 *
 * <p>To store one, keep slot, {@link #offsetUnits} (34 bits) and node (an int); the generation is
 * that of the slot's current mount, since the extents of a mount are gone before its slot is used
 * again, and the length is the object's size.
 *
 * @param slot the segment's place in the tables
 * @param generation the mount that it was allocated in
 * @param offset bytes from the start of the segment, a multiple of {@link #UNIT}
 * @param length bytes that were asked for; what is reserved may be a little more
 * @param node the allocator's name for it, needed to give it back
 */
public record Extent(int slot, long generation, long offset, long length, int node) {
  /** Bytes in a unit of {@link #offsetUnits}. Every extent begins at a multiple of it. */
  public static final int UNIT = 64;

  static final int UNIT_SHIFT = 6;

  /** The offset in units of {@value #UNIT} bytes: less than 2^34, since segments end at 1 TiB. */
  public long offsetUnits() {
    return offset >>> UNIT_SHIFT;
  }
}
