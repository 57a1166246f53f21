package io.moonpool.libc;

/**
 * The error numbers of Linux that the calls of this package document. The numbers are those of the
 * kernel's generic table, which x86-64 and AArch64 share.
 */
public enum Errno {
  /** Operation not permitted. */
  EPERM(1),
  /** No such file or directory. */
  ENOENT(2),
  /** No such process. */
  ESRCH(3),
  /** Interrupted by a signal. */
  EINTR(4),
  /** Input or output failed. */
  EIO(5),
  /** No such device or address. */
  ENXIO(6),
  /** Bad file descriptor. */
  EBADF(9),
  /** Try again, or locked pages exceed a limit. */
  EAGAIN(11),
  /** Out of memory, or out of mappings. */
  ENOMEM(12),
  /** Permission denied. */
  EACCES(13),
  /** Bad address. */
  EFAULT(14),
  /** In use. */
  EBUSY(16),
  /** Already exists. */
  EEXIST(17),
  /** No such device. */
  ENODEV(19),
  /** A part of the path is no directory. */
  ENOTDIR(20),
  /** Is a directory. */
  EISDIR(21),
  /** Invalid argument. */
  EINVAL(22),
  /** The system's table of open files is full. */
  ENFILE(23),
  /** The process has too many open files. */
  EMFILE(24),
  /** File too large. */
  EFBIG(27),
  /** No space left. */
  ENOSPC(28),
  /** The file system is mounted read-only. */
  EROFS(30),
  /** The kernel has no such call. */
  ENOSYS(38),
  /** Value too large. */
  EOVERFLOW(75),
  /** Not supported. */
  EOPNOTSUPP(95),
  /** The quota of the user on this file system is used up. */
  EDQUOT(122),
  /** A number that this table does not name. */
  OTHER(-1);

  private final int number;

  Errno(int number) {
    this.number = number;
  }

  /** The constant with that number, {@link #OTHER} when there is none. */
  static Errno of(int number) {
    for (Errno errno : values()) {
      if (errno.number == number) {
        return errno;
      }
    }
    return OTHER;
  }

  /** The kernel's number; -1 for {@link #OTHER}. */
  public int number() {
    return number;
  }
}
