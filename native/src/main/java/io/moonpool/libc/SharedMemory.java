package io.moonpool.libc;

/**
 * A shared-memory object without a name: it lives as long as a descriptor or a mapping of it does,
 * so that nothing is left behind however its owner ends, {@code kill -9} included. Peers on the
 * same host reach it through {@code /proc/<pid>/fd/<fd>}, if they run as the same user and see the
 * same processes.
 *
 * <p>Its size is fixed when it is created and its space reserved before it is used: a process that
 * maps it never dies of SIGBUS.
 */
public final class SharedMemory implements AutoCloseable {
  /** Bytes reserved in one call. */
  private static final long PIECE_BYTES = 64L << 20;

  private final int fd;
  private final long bytes;
  private boolean closed;

  private SharedMemory(int fd, long bytes) {
    this.fd = fd;
    this.bytes = bytes;
  }

  /**
   * Creates an object of zeroes whose space is not reserved yet: {@link #reserve} it before use.
   *
   * @param name for people, shown in {@code /proc}; at most 200 characters
   * @param bytes at least 1, rounded up to whole pages
   */
  public static SharedMemory create(String name, long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "a shared-memory object has at least 1 byte, not " + bytes);
    }
    long size = PageSizes.roundUp(bytes, Libc.PAGE_BYTES);
    int fd = Libc.memfdCreate(name, Libc.MFD_CLOEXEC | Libc.MFD_ALLOW_SEALING);
    try {
      Libc.ftruncate(fd, size);
      Libc.addSeals(fd, Libc.F_SEAL_SHRINK | Libc.F_SEAL_GROW | Libc.F_SEAL_SEAL);
      return new SharedMemory(fd, size);
    } catch (RuntimeException e) {
      Libc.close(fd);
      throw e;
    }
  }

  /**
   * Opens the object of another process.
   *
   * @throws LibcException when there is no such process or descriptor, or this user may not open it
   */
  public static SharedMemory openPeers(long pid, int fd) {
    if (pid <= 0 || fd < 0) {
      throw new IllegalArgumentException("no process " + pid + " with descriptor " + fd);
    }
    int own = Libc.open("/proc/" + pid + "/fd/" + fd, Libc.O_RDWR | Libc.O_CLOEXEC);
    try {
      return new SharedMemory(own, Libc.size(own));
    } catch (RuntimeException e) {
      Libc.close(own);
      throw e;
    }
  }

  /**
   * Reserves the space of all pages that are not there yet. Blocks for up to a second per few GiB.
   *
   * @throws OutOfSpaceException when the space is not there
   */
  public synchronized void reserve() {
    requireOpen();
    for (long at = 0; at < bytes; at += PIECE_BYTES) {
      Libc.fallocate(fd, at, Math.min(PIECE_BYTES, bytes - at));
    }
  }

  /** The descriptor in this process. */
  public int fd() {
    return fd;
  }

  /** The size in bytes, whole pages. */
  public long bytes() {
    return bytes;
  }

  /**
   * Maps a part. The mapping lives on when this object is closed.
   *
   * @param offset a multiple of the page size
   * @param length bytes, within the object
   */
  public synchronized Mapping map(long offset, long length) {
    requireOpen();
    if (offset < 0 || length <= 0 || offset > bytes - length) {
      throw new IllegalArgumentException(
          "bytes " + offset + " + " + length + " are not within " + bytes);
    }
    return Mapping.shared(fd, offset, length);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the shared-memory object is closed");
    }
  }

  /** Closes the descriptor; mappings stay. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(fd);
    }
  }
}
