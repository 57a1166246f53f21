package io.moonpool.libc;

/** Memory that was asked for is not there: the kernel or a limit of this container refused it. */
public final class OutOfSpaceException extends LibcException {
  private static final long serialVersionUID = 1L;

  OutOfSpaceException(String call, int number, String detail) {
    super(call, number, detail);
  }
}
