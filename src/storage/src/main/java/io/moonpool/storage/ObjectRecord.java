package io.moonpool.storage;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a bucket's index knows of an object: everything that a master needs to take it back after a
 * restart.
 *
 * @param tenant at most 65,535 bytes of UTF-8
 * @param key 1 to 65,535 bytes of any value; not copied: do not write to it
 * @param version of the write, unique over the life of the cluster
 * @param length bytes of the value, not negative
 * @param checksum as the writer gave it
 * @param dataType as the writer gave it
 * @param softPinUntilMillis until when it has a soft pin, in milliseconds of the wall clock since
 *     1970; 0 when it had none when it was stored
 * @param hardPinned true when it had a hard pin: its bucket is never chosen for eviction
 * @param group the group's id, at most 65,535 bytes of UTF-8, empty for none
 */
public record ObjectRecord(
    String tenant,
    byte[] key,
    long version,
    long length,
    Checksum checksum,
    ObjectDataType dataType,
    long softPinUntilMillis,
    boolean hardPinned,
    String group) {
  private static final int MAX_TEXT_BYTES = 65_535;

  /** Checks the limits. */
  public ObjectRecord {
    if (key.length < 1 || key.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException("a key has 1 to 65535 bytes, not " + key.length);
    }
    if (length < 0) {
      throw new IllegalArgumentException("a value has no " + length + " bytes");
    }
    if (softPinUntilMillis < 0) {
      throw new IllegalArgumentException("no soft pin ends at " + softPinUntilMillis);
    }
    requireShort("tenant", tenant);
    requireShort("group", group);
  }

  private static void requireShort(String what, String text) {
    // One character is at most three bytes: only long texts have to be measured.
    if (text.length() > MAX_TEXT_BYTES / 3
        && text.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException("a " + what + " has at most 65535 bytes of UTF-8");
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ObjectRecord that
        && tenant.equals(that.tenant)
        && Arrays.equals(key, that.key)
        && version == that.version
        && length == that.length
        && checksum.equals(that.checksum)
        && dataType == that.dataType
        && softPinUntilMillis == that.softPinUntilMillis
        && hardPinned == that.hardPinned
        && group.equals(that.group);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version) * 31 + Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return "object "
        + Long.toUnsignedString(version)
        + " of "
        + length
        + " bytes (tenant "
        + tenant
        + ", key of "
        + key.length
        + " bytes)";
  }
}
