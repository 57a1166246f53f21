package io.moonpool.core.index;

import java.nio.charset.StandardCharsets;

/**
 * A group within its tenant.
 *
 * @param tenant the tenant's small number
 * @param id as the writer gave it, not empty
 * @param hash chooses the shard that keeps the group's members
 */
public record GroupId(int tenant, String id, long hash) {
  /** The group of that tenant and id. */
  public static GroupId of(int tenant, String id) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return new GroupId(tenant, id, KeyHash.of(tenant, bytes, 0, bytes.length));
  }

  /** The shard that keeps the group's members. */
  public int shard() {
    return KeyHash.shard(hash);
  }
}
