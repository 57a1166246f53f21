package io.moonpool.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The functions of the C library that this package needs, with errno captured. Addresses travel as
 * longs: who calls checks lengths and offsets before and owns what comes back.
 *
 * <p>Every call that fails throws {@link LibcException}; calls that a signal interrupted are made
 * again.
 */
final class Libc {
  static final int PROT_NONE = 0;
  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;
  static final int MAP_SHARED = 0x01;
  static final int MAP_PRIVATE = 0x02;
  static final int MAP_FIXED = 0x10;
  static final int MAP_ANONYMOUS = 0x20;
  static final int MAP_NORESERVE = 0x4000;
  static final int MADV_HUGEPAGE = 14;
  static final int MADV_POPULATE_WRITE = 23;
  static final int MFD_CLOEXEC = 0x1;
  static final int MFD_ALLOW_SEALING = 0x2;
  static final int F_ADD_SEALS = 1033;
  static final int F_SEAL_SEAL = 0x1;
  static final int F_SEAL_SHRINK = 0x2;
  static final int F_SEAL_GROW = 0x4;
  static final int O_RDWR = 0x2;
  static final int O_CLOEXEC = 0x80000;
  private static final long FAILED = -1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle STATE_ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final ValueLayout.OfInt I = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong L = ValueLayout.JAVA_LONG;

  private static final MethodHandle MMAP = bind("mmap", FunctionDescriptor.of(L, L, L, I, I, I, L));
  private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(I, L, L));
  private static final MethodHandle MADVISE = bind("madvise", FunctionDescriptor.of(I, L, L, I));
  private static final MethodHandle MLOCK = bind("mlock", FunctionDescriptor.of(I, L, L));
  private static final MethodHandle MEMFD_CREATE =
      bind("memfd_create", FunctionDescriptor.of(I, ValueLayout.ADDRESS, I));
  private static final MethodHandle FTRUNCATE = bind("ftruncate", FunctionDescriptor.of(I, I, L));
  private static final MethodHandle FALLOCATE =
      bind("fallocate", FunctionDescriptor.of(I, I, I, L, L));
  private static final MethodHandle FCNTL =
      bind("fcntl", FunctionDescriptor.of(I, I, I, I), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle OPEN =
      bind(
          "open",
          FunctionDescriptor.of(I, ValueLayout.ADDRESS, I),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle LSEEK = bind("lseek", FunctionDescriptor.of(L, I, L, I));
  private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(I, I));
  private static final MethodHandle GETPAGESIZE = bind("getpagesize", FunctionDescriptor.of(I));
  private static final MethodHandle SYSCALL =
      bind("syscall", FunctionDescriptor.of(L, L, L, L, L, L), Linker.Option.firstVariadicArg(1));

  /** The size of a base page in bytes. */
  static final long PAGE_BYTES = pageBytes();

  private Libc() {}

  /** Finds a function of the C library; its handle takes the segment for errno first. */
  static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    MemorySegment address =
        LINKER
            .defaultLookup()
            .find(name)
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "the C library has no "
                            + name
                            + ": run on Linux with glibc 2.27 or newer"));
    Linker.Option[] all = java.util.Arrays.copyOf(options, options.length + 1);
    all[options.length] = ERRNO;
    return LINKER.downcallHandle(address, descriptor, all);
  }

  /** A call that returns -1 when it failed, with errno in the given state. */
  interface Call {
    long run(MemorySegment state, Arena arena) throws Throwable;
  }

  /** Makes a call until no signal interrupts it; a negative errno when it failed. */
  static long attempt(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      while (true) {
        long result = call.run(state, arena);
        if (result != FAILED) {
          return result;
        }
        int errno = (int) STATE_ERRNO.get(state, 0L);
        if (errno != Errno.EINTR.number()) {
          return -(long) errno;
        }
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new IllegalStateException("a binding has the wrong signature", t);
    }
  }

  static long require(String name, String detail, long result) {
    if (result >= 0) {
      return result;
    }
    throw failure(name, (int) -result, detail);
  }

  private static LibcException failure(String name, int errno, String detail) {
    return errno == Errno.ENOSPC.number() || errno == Errno.ENOMEM.number()
        ? new OutOfSpaceException(name, errno, detail)
        : new LibcException(name, errno, detail);
  }

  static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
    return require(
        "mmap",
        "cannot map " + length + " bytes",
        attempt(
            (state, arena) ->
                (long) MMAP.invokeExact(state, address, length, protection, flags, fd, offset)));
  }

  static void munmap(long address, long length) {
    require(
        "munmap",
        "cannot unmap " + length + " bytes",
        attempt((state, arena) -> (int) MUNMAP.invokeExact(state, address, length)));
  }

  /** {@return 0, or the error number} */
  static int madvise(long address, long length, int advice) {
    return (int)
        -attempt((state, arena) -> (int) MADVISE.invokeExact(state, address, length, advice));
  }

  /** {@return 0, or the error number} */
  static int mlock(long address, long length) {
    return (int) -attempt((state, arena) -> (int) MLOCK.invokeExact(state, address, length));
  }

  static int memfdCreate(String name, int flags) {
    return (int)
        require(
            "memfd_create",
            "cannot create a shared-memory object",
            attempt(
                (state, arena) ->
                    (int) MEMFD_CREATE.invokeExact(state, arena.allocateFrom(name), flags)));
  }

  static void ftruncate(int fd, long length) {
    require(
        "ftruncate",
        "cannot set the size to " + length + " bytes",
        attempt((state, arena) -> (int) FTRUNCATE.invokeExact(state, fd, length)));
  }

  static void fallocate(int fd, long offset, long length) {
    require(
        "fallocate",
        "cannot reserve "
            + length
            + " bytes of shared memory at "
            + offset
            + ": make the segments smaller, or raise the memory limit of the machine or container",
        attempt((state, arena) -> (int) FALLOCATE.invokeExact(state, fd, 0, offset, length)));
  }

  static void addSeals(int fd, int seals) {
    require(
        "fcntl",
        "cannot fix the size of a shared-memory object",
        attempt((state, arena) -> (int) FCNTL.invokeExact(state, fd, F_ADD_SEALS, seals)));
  }

  static int open(String path, int flags) {
    return (int)
        require(
            "open",
            "cannot open " + path,
            attempt(
                (state, arena) -> (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags)));
  }

  /** {@return the size of an open file in bytes} */
  static long size(int fd) {
    return require(
        "lseek",
        "cannot tell the size of an open file",
        attempt((state, arena) -> (long) LSEEK.invokeExact(state, fd, 0L, 2)));
  }

  /** Closes a descriptor. It is gone afterwards whatever the kernel says, so errors are dropped. */
  static void close(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), fd);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new IllegalStateException("a binding has the wrong signature", t);
    }
  }

  /** A system call for which the C library has no function. */
  static long syscall(String name, String detail, long number, SyscallArguments arguments) {
    return require(
        name,
        detail,
        attempt(
            (state, arena) -> {
              long[] a = arguments.in(arena);
              return (long) SYSCALL.invokeExact(state, number, a[0], a[1], a[2], a[3]);
            }));
  }

  /** Makes the four arguments of a system call, with what they point to in the given arena. */
  interface SyscallArguments {
    long[] in(Arena arena);
  }

  private static long pageBytes() {
    return attempt((state, arena) -> (int) GETPAGESIZE.invokeExact(state));
  }
}
