package io.moonpool.libc;

/** Memory that was asked for is not there: the kernel or a limit of this container refused it. */
public final class OutOfSpaceException extends LibcException {
  private static final long serialVersionUID = 1L;

  OutOfSpaceException(String call, int number, String detail) {
    super(call, number, detail);
  }

  /**
   * Memory that would exceed what is available, found before the kernel was asked for it.
   *
   * @param wanted bytes asked for
   * @param available bytes there are
   */
  static OutOfSpaceException exceeds(long wanted, long available) {
    return new OutOfSpaceException(
        "reserving memory",
        Errno.ENOMEM.number(),
        wanted
            + " bytes are wanted and "
            + available
            + " are available: make the segments smaller, or raise the memory limit of the"
            + " machine or container");
  }
}
