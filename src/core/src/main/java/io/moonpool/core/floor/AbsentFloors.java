package io.moonpool.core.floor;

import java.util.function.BooleanSupplier;

/**
 * The floors that disks need which are not there, once for all of them: a floor is true of every
 * disk. They are kept in the order in which they came. A disk needs those that came since it went,
 * so the ones in front of the earliest such position go.
 *
 * <p>The floors of a key come with ever higher versions: each is the version of a new write, or one
 * more than the version that the key had.
 *
 * <p>A key that is written again and again leaves a trail in the order. When more than half of it
 * is such trail, each new floor takes two from the front and puts those that still count behind:
 * they are then kept a little longer than they must be, and the order stays as small as the map.
 *
 * <p>Not thread safe.
 */
public final class AbsentFloors {
  private static final int SPARE = 1 << 12;

  private final FloorMap floors = new FloorMap();

  /** Hash and version of each floor. */
  private final LongFifo order = new LongFifo();

  /** Makes the floor of a hash that version, unless it is as high already; answers whether. */
  public boolean raise(long hash, long version) {
    if (!floors.raise(hash, version)) {
      return false;
    }
    order.add(hash);
    order.add(version);
    if (order.size() > 4 * floors.size() + SPARE) {
      rotate();
      rotate();
    }
    return true;
  }

  private void rotate() {
    long hash = order.poll();
    long version = order.poll();
    if (floors.get(hash) == version) {
      order.add(hash);
      order.add(version);
    }
  }

  /** The floor of a hash, or {@link FloorMap#NONE}. */
  public long get(long hash) {
    return floors.get(hash);
  }

  /** The position of the next floor. */
  public long end() {
    return order.end();
  }

  /** True when there are floors in front of that position. */
  public boolean isBefore(long position) {
    return order.first() < Math.min(position, order.end());
  }

  /**
   * A step of forgetting the floors in front of a position.
   *
   * @param mayContinue asked before each
   * @return true when none is left
   */
  public boolean trim(long position, BooleanSupplier mayContinue) {
    while (isBefore(position)) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      long hash = order.poll();
      floors.removeUpTo(hash, order.poll());
    }
    return true;
  }

  /** How many hashes have a floor. */
  public long size() {
    return floors.size();
  }

  /** Visits all floors, in the order in which they came. */
  public void forEach(FloorMap.Visitor visitor) {
    order.forEachPair(
        (hash, version) -> {
          if (floors.get(hash) == version) {
            visitor.floor(hash, version);
          }
        });
  }
}
