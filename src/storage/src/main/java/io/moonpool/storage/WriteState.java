package io.moonpool.storage;

/**
 * Whether the store takes new objects.
 *
 * @param writable false after a failed write or sync that was not for want of space, until a {@link
 *     BucketStore#probe probe} succeeds
 * @param reason why not, for people; empty when writable
 */
public record WriteState(boolean writable, String reason) {
  static final WriteState WRITABLE = new WriteState(true, "");

  static WriteState readOnly(String reason) {
    return new WriteState(false, reason);
  }
}
