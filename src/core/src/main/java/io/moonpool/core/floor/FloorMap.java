package io.moonpool.core.floor;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Floors by the hash of their key. In 256 parts, so that a part that grows is copied while the
 * others stay: no call pays for more than a part.
 */
public final class FloorMap {
  /** What {@link #get} answers for a hash that has no floor; lower than any version. */
  public static final long NONE = 0;

  /** How many parts there are. */
  public static final int PARTS = 256;

  /** The bits above those that choose the shard. */
  private static final int PART_SHIFT = 10;

  private final @Nullable Long2LongOpenHashMap[] parts = new Long2LongOpenHashMap[PARTS];
  private long size;

  private static int part(long hash) {
    return (int) (hash >>> PART_SHIFT) & (PARTS - 1);
  }

  /** The floor of a hash, or {@link #NONE}. */
  public long get(long hash) {
    Long2LongOpenHashMap part = parts[part(hash)];
    return part == null ? NONE : part.get(hash);
  }

  /** Makes the floor of a hash that version, unless it is as high already; answers whether. */
  public boolean raise(long hash, long version) {
    int number = part(hash);
    Long2LongOpenHashMap part = parts[number];
    if (part == null) {
      part = new Long2LongOpenHashMap();
      parts[number] = part;
    }
    long before = part.get(hash);
    if (before >= version) {
      return false;
    }
    part.put(hash, version);
    size += before == NONE ? 1 : 0;
    return true;
  }

  /** Forgets the floor of a hash when it is not higher than that version; answers whether. */
  public boolean removeUpTo(long hash, long version) {
    Long2LongOpenHashMap part = parts[part(hash)];
    if (part == null) {
      return false;
    }
    long floor = part.get(hash);
    if (floor == NONE || floor > version) {
      return false;
    }
    part.remove(hash);
    size--;
    return true;
  }

  /** How many hashes have a floor. */
  public long size() {
    return size;
  }

  /** What is done with each floor. */
  @FunctionalInterface
  public interface Visitor {
    /** A floor. */
    void floor(long hash, long version);
  }

  /** Visits all floors. */
  public void forEach(Visitor visitor) {
    for (int part = 0; part < PARTS; part++) {
      forEachOf(part, visitor);
    }
  }

  /**
   * Visits the floors of a part: about one in {@link #PARTS} of them.
   *
   * @param number 0 to {@link #PARTS} - 1
   */
  public void forEachOf(int number, Visitor visitor) {
    Long2LongOpenHashMap part = parts[number];
    if (part != null) {
      for (Long2LongMap.Entry entry : part.long2LongEntrySet()) {
        visitor.floor(entry.getLongKey(), entry.getLongValue());
      }
    }
  }
}
