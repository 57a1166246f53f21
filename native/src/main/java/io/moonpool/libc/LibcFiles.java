package io.moonpool.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * The functions of the C library for files, with errno captured. Memory travels as segments, so
 * that it cannot be freed during a call. Failures throw {@link LibcException}.
 */
final class LibcFiles {
  static final int O_RDONLY = 0;
  static final int O_RDWR = 0x2;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_CLOEXEC = 0x80000;
  static final int O_DIRECT = isArm() ? 0x10000 : 0x4000;
  static final int O_DIRECTORY = isArm() ? 0x4000 : 0x10000;
  static final int LOCK_EX = 2;
  static final int LOCK_NB = 4;

  private static final int FALLOC_FL_KEEP_SIZE = 1;
  private static final int F_GETFL = 3;
  private static final int POSIX_FADV_DONTNEED = 4;

  /** struct statvfs of glibc on 64-bit machines. */
  private static final int STATVFS_BYTES = 112;

  private static final int FRAGMENT_AT = 8;
  private static final int BLOCKS_AT = 16;
  private static final int AVAILABLE_AT = 32;

  private static final ValueLayout.OfInt I = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong L = ValueLayout.JAVA_LONG;
  private static final java.lang.foreign.AddressLayout A = ValueLayout.ADDRESS;

  private static final MethodHandle OPEN =
      Libc.bind("open", FunctionDescriptor.of(I, A, I, I), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle PREAD =
      Libc.bind("pread", FunctionDescriptor.of(L, I, A, L, L));
  private static final MethodHandle PWRITE =
      Libc.bind("pwrite", FunctionDescriptor.of(L, I, A, L, L));
  private static final MethodHandle FSYNC = Libc.bind("fsync", FunctionDescriptor.of(I, I));
  private static final MethodHandle FDATASYNC = Libc.bind("fdatasync", FunctionDescriptor.of(I, I));
  private static final MethodHandle FALLOCATE =
      Libc.bind("fallocate", FunctionDescriptor.of(I, I, I, L, L));
  private static final MethodHandle FADVISE =
      Libc.bind("posix_fadvise", FunctionDescriptor.of(I, I, L, L, I));
  private static final MethodHandle FCNTL =
      Libc.bind("fcntl", FunctionDescriptor.of(I, I, I, I), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FLOCK = Libc.bind("flock", FunctionDescriptor.of(I, I, I));
  private static final MethodHandle RENAME = Libc.bind("rename", FunctionDescriptor.of(I, A, A));
  private static final MethodHandle UNLINK = Libc.bind("unlink", FunctionDescriptor.of(I, A));
  private static final MethodHandle MKDIR = Libc.bind("mkdir", FunctionDescriptor.of(I, A, I));
  private static final MethodHandle STATVFS = Libc.bind("statvfs", FunctionDescriptor.of(I, A, A));

  private LibcFiles() {}

  private static boolean isArm() {
    return System.getProperty("os.arch", "").toLowerCase(Locale.ROOT).equals("aarch64");
  }

  static int open(String path, int flags, int mode) {
    return (int)
        Libc.require(
            "open",
            path,
            Libc.attempt(
                (state, arena) ->
                    (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode)));
  }

  static long pread(int fd, MemorySegment into, long position, String path) {
    long done =
        Libc.attempt(
            (state, arena) -> (long) PREAD.invokeExact(state, fd, into, into.byteSize(), position));
    // The words are made for failures only: this is called for every block of a disk.
    return done >= 0 ? done : Libc.require("pread", path + " at " + position, done);
  }

  static long pwrite(int fd, MemorySegment from, long position, String path) {
    long done =
        Libc.attempt(
            (state, arena) ->
                (long) PWRITE.invokeExact(state, fd, from, from.byteSize(), position));
    // The words are made for failures only: this is called for every block of a disk.
    return done >= 0 ? done : Libc.require("pwrite", path + " at " + position, done);
  }

  static void fsync(int fd, String path) {
    Libc.require("fsync", path, Libc.attempt((state, arena) -> (int) FSYNC.invokeExact(state, fd)));
  }

  static void fdatasync(int fd, String path) {
    Libc.require(
        "fdatasync", path, Libc.attempt((state, arena) -> (int) FDATASYNC.invokeExact(state, fd)));
  }

  /** Reserves space and leaves the size of the file as it is. */
  static void reserve(int fd, long position, long length, String path) {
    Libc.require(
        "fallocate",
        path + ": " + length + " bytes at " + position,
        Libc.attempt(
            (state, arena) ->
                (int) FALLOCATE.invokeExact(state, fd, FALLOC_FL_KEEP_SIZE, position, length)));
  }

  /** Asks the kernel to drop its cached pages of a file; it may refuse without harm. */
  static void dropCache(int fd) {
    Libc.attempt(
        (state, arena) -> {
          int ignored = (int) FADVISE.invokeExact(state, fd, 0L, 0L, POSIX_FADV_DONTNEED);
          return 0; // the call returns its error instead of setting errno
        });
  }

  static int statusFlags(int fd, String path) {
    return (int)
        Libc.require(
            "fcntl",
            path,
            Libc.attempt((state, arena) -> (int) FCNTL.invokeExact(state, fd, F_GETFL, 0)));
  }

  /** {@return false when another open file has the lock} */
  static boolean lockExclusively(int fd, String path) {
    long result =
        Libc.attempt((state, arena) -> (int) FLOCK.invokeExact(state, fd, LOCK_EX | LOCK_NB));
    if (result == -(long) Errno.EAGAIN.number()) {
      return false;
    }
    Libc.require("flock", path, result);
    return true;
  }

  static void rename(String from, String to) {
    Libc.require(
        "rename",
        from + " to " + to,
        Libc.attempt(
            (state, arena) ->
                (int) RENAME.invokeExact(state, arena.allocateFrom(from), arena.allocateFrom(to))));
  }

  static void unlink(String path) {
    Libc.require(
        "unlink",
        path,
        Libc.attempt((state, arena) -> (int) UNLINK.invokeExact(state, arena.allocateFrom(path))));
  }

  static void mkdir(String path, int mode) {
    Libc.require(
        "mkdir",
        path,
        Libc.attempt(
            (state, arena) -> (int) MKDIR.invokeExact(state, arena.allocateFrom(path), mode)));
  }

  static FileSystemSpace space(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(STATVFS_BYTES, Long.BYTES);
      Libc.require(
          "statvfs",
          path,
          Libc.attempt(
              (state, calls) ->
                  (int) STATVFS.invokeExact(state, calls.allocateFrom(path), answer)));
      long unit = answer.get(L, FRAGMENT_AT);
      return new FileSystemSpace(
          answer.get(L, BLOCKS_AT) * unit, answer.get(L, AVAILABLE_AT) * unit);
    }
  }
}
