package io.moonpool.protocol.mooncake;

import java.util.UUID;

/** Where the bytes of a {@link Replica} are. */
public sealed interface Place {
  /**
   * Memory that a client lends.
   *
   * @param size bytes
   * @param address in the address space that the owner announced with its segment
   * @param protocol of the transfer, such as {@code tcp}
   * @param endpoint where the owner is reached by it
   */
  record Memory(long size, long address, String protocol, String endpoint) implements Place {}

  /** A remote NVMe namespace; Moonpool has none. */
  record Nof(long size, long address, String protocol, String endpoint) implements Place {}

  /** A file of a shared file system; Moonpool has none. */
  record Disk(String path, long size) implements Place {}

  /**
   * The owner's own disk.
   *
   * @param client the owner
   * @param size bytes
   * @param endpoint where the owner takes requests to load what is on it
   */
  record LocalDisk(UUID client, long size, String endpoint) implements Place {}

  /** Part of a file of a distributed file system; Moonpool has none. */
  record Dfs(String path, long offset, long size, long alignedSize, int shard) implements Place {}
}
