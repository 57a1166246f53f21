package io.moonpool.storage.recovery;

import java.util.HashSet;
import java.util.Set;

/**
 * Finds keys that may be stored twice, by their hashes: 12 bytes a slot while the scan runs, and no
 * keys. What it suspects is read again and compared exactly. One thread.
 */
final class KeyHashes {
  private long[] hashes = new long[1024];
  private int[] buckets = new int[1024]; // plus 1; 0 is a free slot
  private int size;
  private final Set<Long> suspects = new HashSet<>();
  private final Set<Integer> suspectBuckets = new HashSet<>();

  /** Notes a key. */
  void add(long hash, int bucket) {
    if ((size + 1) * 3L > hashes.length * 2L) {
      grow();
    }
    int slot = find(hash);
    if (buckets[slot] == 0) {
      hashes[slot] = hash;
      buckets[slot] = bucket + 1;
      size++;
    } else {
      suspects.add(hash);
      suspectBuckets.add(bucket);
      suspectBuckets.add(buckets[slot] - 1);
    }
  }

  /** True when a hash came more than once. */
  boolean suspect(long hash) {
    return suspects.contains(hash);
  }

  /** The buckets that hold keys of suspect hashes. */
  Set<Integer> suspectBuckets() {
    return suspectBuckets;
  }

  private int find(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) (hash ^ (hash >>> 32)) & mask;
    while (buckets[slot] != 0 && hashes[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldHashes = hashes;
    int[] oldBuckets = buckets;
    int slots = Math.multiplyExact(hashes.length, 2);
    hashes = new long[slots];
    buckets = new int[slots];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldBuckets[i] != 0) {
        int slot = find(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        buckets[slot] = oldBuckets[i];
      }
    }
  }
}
