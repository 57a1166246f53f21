package io.moonpool.core.index;

/** Takes what {@link ObjectIndex#takeDropped} answers. Must not call the index back. */
@FunctionalInterface
public interface DroppedSink {
  /**
   * A record that is dead. The node writes a tombstone for it, if it has it, and then acknowledges
   * key and version ({@link ObjectIndex#ackDropped}), in the order told.
   *
   * @param tenant the tenant's small number
   * @param key holds the key from {@code offset} on, during the call
   * @param length of the key, in bytes
   * @param version the record's
   */
  void dropped(int tenant, byte[] key, int offset, int length, long version);
}
