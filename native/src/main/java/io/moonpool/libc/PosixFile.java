package io.moonpool.libc;

import java.lang.foreign.MemorySegment;

/**
 * An open file or directory of the kernel. Reads and writes take a position, so any number of
 * threads may use one; {@link #close} must not overlap them. Every method may block for as long as
 * the disk needs and throws {@link LibcException} when the kernel refuses.
 */
public final class PosixFile implements AutoCloseable {
  /** What one call moves at most: the kernel's own limit is 2 GiB less a page. */
  private static final long PIECE_BYTES = 64L << 20;

  private static final int NEW_FILE_MODE = 0644;
  private static final int NEW_DIRECTORY_MODE = 0755;

  private final int fd;
  private final String path;
  private final boolean direct;
  private volatile boolean closed;

  private PosixFile(int fd, String path, boolean direct) {
    this.fd = fd;
    this.path = path;
    this.direct = direct;
  }

  /**
   * Creates a file, which must not be there yet, for reading and writing.
   *
   * @param direct true to bypass the page cache: then memory, positions and lengths must be
   *     multiples of the block size. {@link Errno#EINVAL} when the file system does not offer it
   */
  public static PosixFile create(String path, boolean direct) {
    return open(path, LibcFiles.O_RDWR | LibcFiles.O_CREAT | LibcFiles.O_EXCL | directFlag(direct));
  }

  /** Opens a file for reading and writing, and creates it when it is not there. */
  public static PosixFile openOrCreate(String path) {
    return open(path, LibcFiles.O_RDWR | LibcFiles.O_CREAT);
  }

  /**
   * Opens a file for reading.
   *
   * @param direct as for {@link #create}
   */
  public static PosixFile openForReading(String path, boolean direct) {
    return open(path, LibcFiles.O_RDONLY | directFlag(direct));
  }

  /** Opens a directory, to {@link #sync} it. */
  public static PosixFile openDirectory(String path) {
    return open(path, LibcFiles.O_RDONLY | LibcFiles.O_DIRECTORY);
  }

  private static PosixFile open(String path, int flags) {
    return new PosixFile(
        LibcFiles.open(path, flags | LibcFiles.O_CLOEXEC, NEW_FILE_MODE),
        path,
        (flags & LibcFiles.O_DIRECT) != 0);
  }

  private static int directFlag(boolean direct) {
    return direct ? LibcFiles.O_DIRECT : 0;
  }

  /** Creates a directory; its parent must be there and nothing of its name. */
  public static void createDirectory(String path) {
    LibcFiles.mkdir(path, NEW_DIRECTORY_MODE);
  }

  /** Renames a file within its file system; a file of the new name is replaced at once. */
  public static void rename(String from, String to) {
    LibcFiles.rename(from, to);
  }

  /** Removes a name. The bytes go when nobody has the file open any more. */
  public static void delete(String path) {
    LibcFiles.unlink(path);
  }

  /** The space of the file system that a path is on. */
  public static FileSystemSpace space(String path) {
    return LibcFiles.space(path);
  }

  /**
   * Reads until the segment is full or the file ends.
   *
   * @return bytes read, fewer than the segment has only at the end of the file
   */
  public long read(MemorySegment into, long position) {
    requireOpen();
    long done = 0;
    while (done < into.byteSize()) {
      long wanted = Math.min(PIECE_BYTES, into.byteSize() - done);
      long got = LibcFiles.pread(fd, into.asSlice(done, wanted), position + done, path);
      done += got;
      if (got == 0 || (got < wanted && direct)) {
        return done; // a direct read stops short at the end of the file only
      }
    }
    return done;
  }

  /** Writes the whole segment. */
  public void write(MemorySegment from, long position) {
    requireOpen();
    long done = 0;
    while (done < from.byteSize()) {
      long wanted = Math.min(PIECE_BYTES, from.byteSize() - done);
      long put = LibcFiles.pwrite(fd, from.asSlice(done, wanted), position + done, path);
      if (put < wanted && direct) {
        put = PageSizes.roundDown(put, Libc.PAGE_BYTES); // go on at a block, as direct writes must
      }
      if (put == 0) {
        throw new LibcException("pwrite", Errno.EIO.number(), path + " takes no more bytes");
      }
      done += put;
    }
  }

  /** Makes the bytes durable, and of the metadata what is needed to read them. */
  public void syncData() {
    requireOpen();
    LibcFiles.fdatasync(fd, path);
  }

  /** Makes bytes and metadata durable; of a directory its entries. */
  public void sync() {
    requireOpen();
    LibcFiles.fsync(fd, path);
  }

  /**
   * Reserves space, so that writing it later does not fail for want of space. The size of the file
   * stays.
   */
  public void reserve(long position, long length) {
    requireOpen();
    LibcFiles.reserve(fd, position, length, path);
  }

  /** Asks the kernel to forget its cached pages of the file; only pages that are on disk go. */
  public void dropCache() {
    requireOpen();
    LibcFiles.dropCache(fd);
  }

  /** The size in bytes. */
  public long size() {
    requireOpen();
    return Libc.size(fd);
  }

  /** Sets the size: cuts off, or adds zeroes. */
  public void truncate(long bytes) {
    requireOpen();
    Libc.ftruncate(fd, bytes);
  }

  /** True when reads and writes bypass the page cache, as the kernel says. */
  public boolean isDirect() {
    requireOpen();
    return (LibcFiles.statusFlags(fd, path) & LibcFiles.O_DIRECT) != 0;
  }

  /**
   * Takes the lock of the file, which one open file at a time can have; it goes when this one is
   * closed, however its process ends.
   *
   * @return false when another one has it, in this process or in another
   */
  public boolean tryLock() {
    requireOpen();
    return LibcFiles.lockExclusively(fd, path);
  }

  /** The number of the descriptor, under which {@code /proc/self/fdinfo} describes it. */
  public int fd() {
    return fd;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(path + " is closed");
    }
  }

  /** Closes the descriptor. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(fd);
    }
  }
}
