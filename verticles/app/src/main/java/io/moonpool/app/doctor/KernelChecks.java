package io.moonpool.app.doctor;

import io.moonpool.libc.Errno;
import io.moonpool.libc.IoUring;
import io.moonpool.libc.LibcException;
import io.moonpool.libc.ThreadScheduling;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the kernel lets this process do: tried out, since containers forbid more than they say. */
final class KernelChecks {
  private static final long SLICE_NANOS = 1_000_000;

  private final KernelFiles kernel;

  KernelChecks(KernelFiles kernel) {
    this.kernel = kernel;
  }

  List<Finding> look() {
    return List.of(ioUring(), scheduling());
  }

  private Finding ioUring() {
    Errno refused = IoUring.refusal();
    if (refused == null) {
      return Finding.ok("io_uring", "allowed");
    }
    OptionalLong setting = kernel.number("proc/sys/kernel/io_uring_disabled");
    String found =
        "refused with "
            + refused
            + (setting.isPresent() ? ", kernel.io_uring_disabled=" + setting.getAsLong() : "");
    return Finding.note(
        "io_uring",
        found,
        "nothing needs it; to allow it, sysctl -w kernel.io_uring_disabled=0, and a container"
            + " profile that does not forbid it");
  }

  private Finding scheduling() {
    String release = kernel.text("proc/sys/kernel/osrelease").orElse("unknown");
    try {
      ThreadScheduling before = ThreadScheduling.ofCurrentThread();
      ThreadScheduling slice = tried(before.withSliceNanos(SLICE_NANOS));
      ThreadScheduling nice = tried(before.withNice(Math.max(-20, before.nice() - 1)));
      boolean kept = slice != null && slice.sliceNanos() == SLICE_NANOS;
      String found =
          "kernel "
              + release
              + ": short slices "
              + (kept ? "work" : "do not work")
              + ", better nice values are "
              + (nice == null ? "refused" : "allowed");
      return kept
          ? Finding.ok("scheduling", found)
          : Finding.note(
              "scheduling",
              found,
              "on busy machines heartbeats are answered later: use Linux 6.12 or newer, or allow nice"
                  + " values (CAP_SYS_NICE)");
    } catch (LibcException | UnsupportedOperationException e) {
      return Finding.note("scheduling", "kernel " + release + ": " + e.getMessage(), "");
    }
  }

  /** Gives the attributes to a thread of its own, and reads what it has then; null: refused. */
  private static @Nullable ThreadScheduling tried(ThreadScheduling wanted) {
    var result = new AtomicReference<@Nullable ThreadScheduling>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    wanted.applyToCurrentThread();
                    result.set(ThreadScheduling.ofCurrentThread());
                  } catch (LibcException e) {
                    // Refused.
                  }
                });
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return result.get();
  }
}
