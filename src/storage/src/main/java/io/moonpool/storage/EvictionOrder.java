package io.moonpool.storage;

/** Which bucket goes first when space is needed. */
public enum EvictionOrder {
  /** The oldest one; what a collection copied counts as young. Costs what is chosen. */
  FIFO,
  /**
   * The one that was neither written nor read for the longest time; those that were not read since
   * the start, the oldest first, before all others. Costs a sort of all buckets.
   */
  LRU
}
