package io.moonpool.protocol.wire;

/**
 * What must be known of a value before it can be written: how many bytes it takes and how large its
 * largest container is, since that decides the width of all container sizes. Filled in one walk
 * that skips whatever has a fixed size.
 */
public final class Sizes {
  private long bytes;
  private long containers;
  private int largest;

  Sizes() {}

  /** Counts bytes that are not container sizes. */
  public void add(long more) {
    bytes += more;
  }

  /** Counts a container and its size; not the elements. */
  public void container(int size) {
    containers++;
    largest = Math.max(largest, size);
  }

  /** The bits of the meta byte that name the width: 0 for 1 byte, 1 for 2, 2 for 4. */
  int widthBits() {
    if (largest < 1 << 8) {
      return 0;
    }
    return largest < 1 << 16 ? 1 : 2;
  }

  /** The length of the payload in bytes. */
  long payloadBytes() {
    return bytes + (containers << widthBits());
  }
}
