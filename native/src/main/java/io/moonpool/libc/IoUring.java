package io.moonpool.libc;

import org.jspecify.annotations.Nullable;

/** Whether this process may use io_uring. Any thread. */
public final class IoUring {
  /** The same on all processors. */
  private static final long SETUP = 425;

  private static final long ENTRIES = 1;

  /** {@code struct io_uring_params}, zeroed. */
  private static final int PARAMS_BYTES = 256;

  private IoUring() {}

  /**
   * Tries to make a ring, and closes it.
   *
   * @return null when the kernel lets this process, else with which error it refuses
   */
  public static @Nullable Errno refusal() {
    try {
      long fd =
          Libc.syscall(
              "io_uring_setup",
              "io_uring is not allowed here",
              SETUP,
              arena -> new long[] {ENTRIES, arena.allocate(PARAMS_BYTES, 8).address(), 0, 0});
      Libc.close((int) fd);
      return null;
    } catch (LibcException e) {
      return e.errno();
    }
  }
}
