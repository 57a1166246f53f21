package io.moonpool.protocol.json;

import java.util.UUID;

/** UUIDs in their text form. */
public final class Uuids {
  private Uuids() {}

  /**
   * The UUID that a text of 36 characters means. Stricter than the platform, which also takes
   * shortened groups and would turn a typing error into another segment's name.
   *
   * @throws IllegalArgumentException when it is not a UUID
   */
  public static UUID parse(String text) {
    UUID uuid = UUID.fromString(text);
    if (!uuid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("not a UUID of 36 characters: " + text);
    }
    return uuid;
  }
}
