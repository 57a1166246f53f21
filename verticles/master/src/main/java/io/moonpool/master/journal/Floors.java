package io.moonpool.master.journal;

import java.util.Arrays;

/**
 * Floors in columns: the hash of a key and the version below which its records are dead. Filled by
 * one thread, then handed over and not changed any more.
 */
public final class Floors {
  private long[] hashes;
  private long[] versions;
  private int size;

  /** An empty list. */
  public Floors() {
    this(16);
  }

  /** An empty list with room for that many. */
  public Floors(int capacity) {
    hashes = new long[capacity];
    versions = new long[capacity];
  }

  /** Appends a floor. */
  public void add(long hash, long version) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, size * 2 + 1);
      versions = Arrays.copyOf(versions, size * 2 + 1);
    }
    hashes[size] = hash;
    versions[size] = version;
    size++;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** The hash of the floor at that index. */
  public long hash(int index) {
    return hashes[index];
  }

  /** The version of the floor at that index. */
  public long version(int index) {
    return versions[index];
  }
}
