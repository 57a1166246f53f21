package io.moonpool.libc;

/** A call of the C library that failed. The message names the call, the error and what to do. */
public class LibcException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final Errno errno;
  private final int number;

  LibcException(String call, int number, String detail) {
    super(call + " failed with " + name(number) + ": " + detail);
    this.call = call;
    this.errno = Errno.of(number);
    this.number = number;
  }

  private static String name(int number) {
    Errno errno = Errno.of(number);
    return errno == Errno.OTHER ? "errno " + number : errno.name();
  }

  /** The function that failed, such as {@code mmap}. */
  public final String call() {
    return call;
  }

  /** The error. */
  public final Errno errno() {
    return errno;
  }

  /** The error's number, also when {@link Errno} has no name for it. */
  public final int number() {
    return number;
  }
}
