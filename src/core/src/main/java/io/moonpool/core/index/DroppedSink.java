package io.moonpool.core.index;

/** Takes what {@link ObjectIndex#takeDropped} answers. Must not call the index back. */
@FunctionalInterface
public interface DroppedSink {
  /**
   * A record that is dead: the node writes a tombstone for it, if it has it, and then acknowledges
   * {@code keyHash} and {@code floor} with {@link ObjectIndex#ackFloor}, in the order told.
   *
   * @param version the record's
   * @param keyHash {@link KeyHash} of its tenant and key
   * @param floor what the acknowledgement gives back
   */
  void dropped(long version, long keyHash, long floor);
}
