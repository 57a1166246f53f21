package io.moonpool.libc;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Waits for file descriptors that other libraries own. Any thread but an event loop: it blocks. */
public final class Readiness {
  private static final MethodHandle POLL =
      Libc.bind(
          "poll",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  /** {@code struct pollfd}: descriptor, events asked for, events that came. */
  private static final int POLLFD_BYTES = 8;

  private static final int EVENTS_AT = 4;
  private static final short POLLIN = 1;

  private Readiness() {}

  /**
   * Waits until a descriptor can be read.
   *
   * @param timeoutMillis how long at most; 0 only looks
   * @return false when the time is over, or a signal came
   * @throws LibcException when the kernel refuses
   */
  public static boolean awaitReadable(int fd, int timeoutMillis) {
    if (fd < 0 || timeoutMillis < 0) {
      throw new IllegalArgumentException(
          "no descriptor " + fd + " or no time " + timeoutMillis + " ms to wait for");
    }
    return Libc.require(
            "poll",
            "cannot wait for descriptor " + fd,
            Libc.attempt(
                (state, arena) -> {
                  MemorySegment waited = arena.allocate(POLLFD_BYTES, Integer.BYTES);
                  waited.set(ValueLayout.JAVA_INT, 0, fd);
                  waited.set(ValueLayout.JAVA_SHORT, EVENTS_AT, POLLIN);
                  return (int) POLL.invokeExact(state, waited, 1L, timeoutMillis);
                }))
        > 0;
  }
}
