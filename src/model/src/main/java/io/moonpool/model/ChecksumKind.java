package io.moonpool.model;

/** How a stored checksum was computed. */
public enum ChecksumKind {
  /** The writer gave none. */
  NONE(0),
  /** CRC32C of the value; above 1 MiB of the block checksums, see {@link Checksum}. */
  CRC32C(1),
  /** A foreign writer's own 64 bits; returned, never checked. */
  OPAQUE(2),
  /**
   * CRC32C of a manifest: the object's bytes list the objects that hold the parts of a large value.
   * Only the writer of such values sets it, so that no value of a user is taken for one.
   */
  MANIFEST(3);

  private static final ChecksumKind[] VALUES = values();

  private final int number;

  ChecksumKind(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  /**
   * The value with that number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ChecksumKind ofNumber(int number) {
    for (ChecksumKind value : VALUES) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalArgumentException("no ChecksumKind has the number " + number);
  }
}
