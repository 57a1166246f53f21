package io.moonpool.protocol.mooncake;

import io.moonpool.model.KeyBatch;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** Arguments of the calls about objects. Keys are bytes and are not copied. */
public final class ObjectMessages {
  private ObjectMessages() {}

  /** A key, or a pattern for keys. */
  public record Key(byte[] key, String tenant) {}

  /** Some keys. */
  public record Keys(KeyBatch keys, String tenant) {}

  /** The start of a write. */
  public record Start(UUID client, byte[] key, long size, WriteConfig config, String tenant) {}

  /** The start of some writes. */
  public record BatchStart(
      UUID client, KeyBatch keys, long[] sizes, WriteConfig config, String tenant) {}

  /** What a writer tells of an object that it has written. */
  public record Written(byte[] key, OptionalLong checksum) {}

  /**
   * The end of a write.
   *
   * @param replicaType the number of the {@link io.moonpool.model.ReplicaType} that is written
   */
  public record End(UUID client, Written object, int replicaType, String tenant) {}

  /** The end of some puts. */
  public record BatchEnd(UUID client, List<Written> objects, int replicaType, String tenant) {}

  /** The end of some upserts, of all their replicas. */
  public record BatchUpsertEnd(UUID client, List<Written> objects, String tenant) {}

  /** A write is given up. */
  public record Revoke(UUID client, byte[] key, int replicaType, String tenant) {}

  /** Some puts are given up. */
  public record BatchRevoke(UUID client, KeyBatch keys, int replicaType, String tenant) {}

  /** Some upserts are given up. */
  public record BatchUpsertRevoke(UUID client, KeyBatch keys, String tenant) {}

  /** A removal, of a key or of what matches a pattern. */
  public record Remove(byte[] key, boolean force, String tenant) {}

  /** A removal of some keys. */
  public record BatchRemove(KeyBatch keys, boolean force, String tenant) {}

  /** A removal of everything; an empty tenant means all tenants. */
  public record RemoveAll(boolean force, String tenant) {}

  /** Takes a writer's objects off a segment; off all of them when that has no name. */
  public record ReplicaClear(KeyBatch keys, UUID client, String segment) {}
}
