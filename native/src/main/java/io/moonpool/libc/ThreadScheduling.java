package io.moonpool.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * How the kernel schedules a thread.
 *
 * @param policy the kernel's number: 0 is the normal time-sharing policy
 * @param nice -20 (most) to 19 (least CPU when threads compete)
 * @param sliceNanos how long it asks to run at a time; a thread with a short slice is put on a CPU
 *     sooner after it wakes up. 0 stands for the kernel's default
 */
public record ThreadScheduling(int policy, int nice, long sliceNanos) {
  /** The shortest slice that the kernel keeps as it is, in nanoseconds. */
  public static final long MIN_SLICE_NANOS = 100_000;

  /** The longest slice that the kernel keeps as it is, in nanoseconds. */
  public static final long MAX_SLICE_NANOS = 100_000_000;

  /** struct sched_attr, first version: 48 bytes. */
  private static final int ATTR_BYTES = 48;

  private static final int POLICY_AT = 4;
  private static final int NICE_AT = 16;
  private static final int RUNTIME_AT = 24;

  /** The calling thread. */
  private static final long SELF = 0;

  /**
   * Reads the attributes of the calling thread, which must be a platform thread.
   *
   * @throws LibcException when the kernel refuses
   */
  public static ThreadScheduling ofCurrentThread() {
    requirePlatformThread();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      Libc.syscall(
          "sched_getattr",
          "cannot read the scheduling of this thread",
          Numbers.GETATTR,
          ignored -> new long[] {SELF, attr.address(), ATTR_BYTES, 0});
      return new ThreadScheduling(
          attr.get(ValueLayout.JAVA_INT, POLICY_AT),
          attr.get(ValueLayout.JAVA_INT, NICE_AT),
          attr.get(ValueLayout.JAVA_LONG, RUNTIME_AT));
    }
  }

  /**
   * Gives the calling thread, which must be a platform thread, these attributes. A shorter slice
   * and a higher nice value need no privilege; a lower nice value does.
   *
   * @throws LibcException when the kernel refuses: EPERM without the privilege, EINVAL for values
   *     that it does not know
   */
  public void applyToCurrentThread() {
    requirePlatformThread();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      attr.set(ValueLayout.JAVA_INT, 0, ATTR_BYTES);
      attr.set(ValueLayout.JAVA_INT, POLICY_AT, policy);
      attr.set(ValueLayout.JAVA_INT, NICE_AT, nice);
      attr.set(ValueLayout.JAVA_LONG, RUNTIME_AT, sliceNanos);
      Libc.syscall(
          "sched_setattr",
          "cannot give this thread nice value "
              + nice
              + " and a slice of "
              + sliceNanos
              + " ns; lower nice values need CAP_SYS_NICE",
          Numbers.SETATTR,
          ignored -> new long[] {SELF, attr.address(), 0, 0});
    }
  }

  /** The same with another nice value, -20 to 19. */
  public ThreadScheduling withNice(int newNice) {
    if (newNice < -20 || newNice > 19) {
      throw new IllegalArgumentException("a nice value is -20 to 19, not " + newNice);
    }
    return new ThreadScheduling(policy, newNice, sliceNanos);
  }

  /**
   * The same with another slice, {@value #MIN_SLICE_NANOS} to {@value #MAX_SLICE_NANOS} ns. Kernels
   * before 6.12 accept and ignore it.
   */
  public ThreadScheduling withSliceNanos(long newSliceNanos) {
    if (newSliceNanos < MIN_SLICE_NANOS || newSliceNanos > MAX_SLICE_NANOS) {
      throw new IllegalArgumentException(
          "a slice is " + MIN_SLICE_NANOS + " to " + MAX_SLICE_NANOS + " ns, not " + newSliceNanos);
    }
    return new ThreadScheduling(policy, nice, newSliceNanos);
  }

  private static void requirePlatformThread() {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("a virtual thread has no scheduling attributes of its own");
    }
  }

  /** System call numbers, which differ by processor. */
  private static final class Numbers {
    static final long SETATTR;
    static final long GETATTR;

    static {
      String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
      switch (arch) {
        case "amd64", "x86_64" -> {
          SETATTR = 314;
          GETATTR = 315;
        }
        case "aarch64" -> {
          SETATTR = 274;
          GETATTR = 275;
        }
        default ->
            throw new UnsupportedOperationException(
                "scheduling attributes are bound for x86-64 and AArch64 only, not " + arch);
      }
    }
  }
}
