package io.moonpool.storage.bucket;

import org.jspecify.annotations.Nullable;

/**
 * Which version is where. Open addressing with linear probing over primitive columns, 28 bytes a
 * slot at a load of 0.4 to 0.8: 35 to 70 bytes an object, and no Java object for any of them. Keys
 * are not kept: who needs them reads them from the index files.
 *
 * <p>Split into stripes with a lock each, so that a stripe that grows delays few readers, and not
 * for long. Any thread may call.
 */
public final class LocationTable {
  private static final int STRIPES = 64;

  private final Stripe[] stripes = new Stripe[STRIPES];

  /** An empty table. */
  public LocationTable() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** Where a version is, null when the store has no such object. */
  public @Nullable Location get(long version) {
    return stripe(version).get(version);
  }

  /** Enters a version, or changes where it is. */
  public void put(long version, Location location) {
    stripe(version).put(version, location);
  }

  /**
   * Takes a version out if it is in that bucket.
   *
   * @return where it was, null when it was not there
   */
  public @Nullable Location remove(long version, int bucket) {
    return stripe(version).remove(version, bucket);
  }

  /** Takes out all versions of a bucket, by walking the whole table: for want of an index only. */
  public void removeBucket(int bucket) {
    for (Stripe stripe : stripes) {
      stripe.removeBucket(bucket);
    }
  }

  /** How many objects there are. */
  public long size() {
    long sum = 0;
    for (Stripe stripe : stripes) {
      sum += stripe.size();
    }
    return sum;
  }

  /** The bytes that the columns take. */
  public long heapBytes() {
    long sum = 0;
    for (Stripe stripe : stripes) {
      sum += stripe.heapBytes();
    }
    return sum;
  }

  private Stripe stripe(long version) {
    return stripes[(int) (hash(version) >>> 58)];
  }

  /** Spreads versions, which are sequences, over stripes (upper bits) and slots (lower bits). */
  private static long hash(long version) {
    long x = version * 0x9E3779B97F4A7C15L;
    return x ^ (x >>> 32);
  }

  /** A part of the table under its own lock. A slot is free when its bucket is 0. */
  private static final class Stripe {
    private static final int MIN_SLOTS = 16;
    private static final int SLOT_BYTES = 28;

    private long[] versions = new long[MIN_SLOTS];
    private int[] buckets = new int[MIN_SLOTS]; // plus 1
    private int[] blocks = new int[MIN_SLOTS]; // unsigned: data files of up to 16 TiB
    private long[] lengths = new long[MIN_SLOTS]; // times 2, plus 1 for a hard pin
    private int[] crcs = new int[MIN_SLOTS];
    private int size;

    synchronized @Nullable Location get(long version) {
      int slot = find(version);
      return buckets[slot] == 0 ? null : at(slot);
    }

    synchronized void put(long version, Location location) {
      if ((size + 1) * 5L > versions.length * 4L) {
        grow();
      }
      int slot = find(version);
      if (buckets[slot] == 0) {
        size++;
      }
      versions[slot] = version;
      buckets[slot] = location.bucket() + 1;
      blocks[slot] = (int) (location.offset() / Blocks.BYTES);
      lengths[slot] = location.length() << 1 | (location.hardPinned() ? 1 : 0);
      crcs[slot] = location.crc();
    }

    synchronized @Nullable Location remove(long version, int bucket) {
      int slot = find(version);
      if (buckets[slot] != bucket + 1) {
        return null;
      }
      Location was = at(slot);
      size--;
      close(slot);
      return was;
    }

    synchronized void removeBucket(int bucket) {
      int slot = 0;
      while (slot < buckets.length) {
        if (buckets[slot] == bucket + 1) {
          size--;
          close(slot); // what moved up into this slot is looked at next
        } else {
          slot++;
        }
      }
    }

    synchronized int size() {
      return size;
    }

    synchronized long heapBytes() {
      return (long) SLOT_BYTES * versions.length;
    }

    private Location at(int slot) {
      return new Location(
          buckets[slot] - 1,
          Integer.toUnsignedLong(blocks[slot]) * Blocks.BYTES,
          lengths[slot] >>> 1,
          crcs[slot],
          (lengths[slot] & 1) != 0);
    }

    /** The slot of a version, or the free one where it would go. */
    private int find(long version) {
      int mask = versions.length - 1;
      int slot = (int) hash(version) & mask;
      while (buckets[slot] != 0 && versions[slot] != version) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    /** Frees a slot and moves up what was pushed behind it, so that no search ends too early. */
    private void close(int freed) {
      int mask = versions.length - 1;
      int hole = freed;
      for (int slot = (hole + 1) & mask; buckets[slot] != 0; slot = (slot + 1) & mask) {
        int home = (int) hash(versions[slot]) & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
          copy(slot, hole);
          hole = slot;
        }
      }
      buckets[hole] = 0;
    }

    private void copy(int from, int to) {
      versions[to] = versions[from];
      buckets[to] = buckets[from];
      blocks[to] = blocks[from];
      lengths[to] = lengths[from];
      crcs[to] = crcs[from];
    }

    private void grow() {
      long[] oldVersions = versions;
      int[] oldBuckets = buckets;
      int[] oldBlocks = blocks;
      long[] oldLengths = lengths;
      int[] oldCrcs = crcs;
      int slots = Math.multiplyExact(versions.length, 2);
      versions = new long[slots];
      buckets = new int[slots];
      blocks = new int[slots];
      lengths = new long[slots];
      crcs = new int[slots];
      for (int i = 0; i < oldVersions.length; i++) {
        if (oldBuckets[i] != 0) {
          int slot = find(oldVersions[i]);
          versions[slot] = oldVersions[i];
          buckets[slot] = oldBuckets[i];
          blocks[slot] = oldBlocks[i];
          lengths[slot] = oldLengths[i];
          crcs[slot] = oldCrcs[i];
        }
      }
    }
  }
}
