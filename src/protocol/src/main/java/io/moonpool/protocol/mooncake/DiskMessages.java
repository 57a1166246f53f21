package io.moonpool.protocol.mooncake;

import io.moonpool.model.KeyBatch;
import java.util.List;
import java.util.UUID;

/** Arguments and answers of the calls about the disks of clients. */
public final class DiskMessages {
  private DiskMessages() {}

  /** A client's disk, and whether it takes objects. */
  public record Offloading(UUID client, boolean enabled) {}

  /**
   * An object that a client is to write to its disk, or to bring back from it.
   *
   * @param size bytes
   */
  public record ObjectTask(String tenant, byte[] key, long size) {}

  /** How large a client's disk is. */
  public record Capacity(UUID client, long bytes) {}

  /**
   * Where a client has an object on its disk.
   *
   * @param dataSize bytes of the value; negative when it was not stored
   * @param endpoint where the client takes requests to load it
   */
  public record StoredAt(long bucket, long offset, long keySize, long dataSize, String endpoint) {}

  /**
   * How offloads ended.
   *
   * @param stored one per task
   */
  public record Offloaded(UUID client, List<ObjectTask> tasks, List<StoredAt> stored) {}

  /** Asks for memory into which an object is brought back from disk. */
  public record PromotionStart(
      UUID client, byte[] key, String tenant, long size, List<String> preferredSegments) {}

  /** The memory for it. */
  public record PromotionStarted(Replica memory) {}

  /** Names an object of a client; for ends of promotions, copies and moves. */
  public record ClientKey(UUID client, byte[] key, String tenant) {}

  /**
   * A client has evicted an object from its disk.
   *
   * @param replicaType the number of a {@link io.moonpool.model.ReplicaType}
   */
  public record Evict(UUID client, byte[] key, String tenant, int replicaType) {}

  /** A client has evicted objects from its disk. */
  public record BatchEvict(UUID client, KeyBatch keys, String tenant, int replicaType) {}
}
