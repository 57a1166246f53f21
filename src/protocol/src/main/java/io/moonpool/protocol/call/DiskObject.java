package io.moonpool.protocol.call;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;

/**
 * An object as a node's disk keeps it: what the master needs to know it again.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param version unique per write of the key; a later write has a greater one
 * @param size bytes
 * @param softPinMillis how long its soft pin still is; 0 when it has none
 * @param group empty for none
 */
public record DiskObject(
    String tenant,
    byte[] key,
    long version,
    long size,
    Checksum checksum,
    ObjectDataType dataType,
    boolean hardPinned,
    long softPinMillis,
    String group) {
  /** Without a soft pin. */
  public DiskObject(
      String tenant,
      byte[] key,
      long version,
      long size,
      Checksum checksum,
      ObjectDataType dataType,
      boolean hardPinned,
      String group) {
    this(tenant, key, version, size, checksum, dataType, hardPinned, 0, group);
  }
}
