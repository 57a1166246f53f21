package io.moonpool.core.index;

/**
 * A key as the index is asked for it: a view of bytes that belong to the caller, with the tenant
 * and the hash. Made once and pointed at one key of a batch after the other, so that a batch
 * allocates nothing. The index never keeps one.
 *
 * <p>Not thread safe.
 */
public final class ObjectKey {
  private byte[] bytes = {};
  private int offset;
  private int length;
  private int tenant;
  private long hash;

  /**
   * Points at a key whose hash is known already, since it was needed to find its loop.
   *
   * @param tenant the tenant's small number, not negative
   * @param hash {@link KeyHash#of} of the same tenant and bytes
   * @return this
   */
  public ObjectKey set(byte[] bytes, int offset, int length, int tenant, long hash) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.tenant = tenant;
    this.hash = hash;
    return this;
  }

  /** Points at a key and computes its hash. */
  public ObjectKey set(byte[] bytes, int offset, int length, int tenant) {
    return set(bytes, offset, length, tenant, KeyHash.of(tenant, bytes, offset, length));
  }

  /** The array that holds the key. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where in {@link #bytes()} the key starts. */
  public int offset() {
    return offset;
  }

  /** How many bytes the key has. */
  public int length() {
    return length;
  }

  /** The tenant's small number. */
  public int tenant() {
    return tenant;
  }

  /** The {@link KeyHash} of tenant and bytes. */
  public long hash() {
    return hash;
  }

  /** The shard that the key belongs to. */
  public int shard() {
    return KeyHash.shard(hash);
  }

  /** The bits of the hash that place the key in its shard's table. */
  int place() {
    return place(hash);
  }

  static int place(long hash) {
    return (int) (hash >>> 10) & Shard.HASH_MASK;
  }

  /** Bits of the hash that the table keeps beside the row, disjoint from {@link #place()}. */
  int tag() {
    return tag(hash);
  }

  static int tag(long hash) {
    return (int) (hash >>> 59);
  }
}
