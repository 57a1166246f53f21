package io.moonpool.core.index;

/** Takes what {@link ObjectIndex#takeOffloads} answers. Must not call the index back. */
@FunctionalInterface
public interface OffloadSink {
  /**
   * An object that the node shall copy from its memory to its disk.
   *
   * @param object key, version, size, checksum, pins and group; valid during the call
   * @param replicaId the source
   * @param generation the mount of the memory segment that holds the source
   * @param offset where it begins there, in bytes
   * @param readUntilMillis when the node must have stopped to read it, on the index's clock
   */
  void offload(
      ObjectView object, long replicaId, long generation, long offset, long readUntilMillis);
}
