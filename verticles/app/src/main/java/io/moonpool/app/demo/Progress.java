package io.moonpool.app.demo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells how far a phase is: on a terminal by one line that changes, elsewhere by a line for each
 * quarter. Any thread may add.
 */
final class Progress {
  private static final int QUARTERS = 4;
  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintWriter out;
  private final boolean terminal;
  private final String what;
  private final long totalBytes;
  private final AtomicLong doneBytes = new AtomicLong();
  private final AtomicLong nextDraw = new AtomicLong(Long.MIN_VALUE);

  /**
   * Progress of a phase that starts now.
   *
   * @param terminal whether a line can be drawn over
   */
  Progress(PrintWriter out, boolean terminal, String what, long totalBytes) {
    this.out = out;
    this.terminal = terminal;
    this.what = what;
    this.totalBytes = totalBytes;
  }

  /** That many more bytes are done. */
  void add(long bytes, long nowNanos) {
    long after = doneBytes.addAndGet(bytes);
    if (terminal) {
      long due = nextDraw.get();
      if ((due == Long.MIN_VALUE || nowNanos - due >= 0)
          && nextDraw.compareAndSet(due, nowNanos + REDRAW_NANOS)) {
        draw(after);
      }
    } else if (quarter(after) > quarter(after - bytes)) {
      out.println("  " + line(after));
      out.flush();
    }
  }

  /** The phase is over. */
  void done() {
    if (terminal) {
      draw(totalBytes);
      out.println();
      out.flush();
    }
  }

  private long quarter(long bytes) {
    return bytes * QUARTERS / totalBytes;
  }

  private void draw(long bytes) {
    out.print("\r  " + line(bytes));
    out.flush();
  }

  private String line(long bytes) {
    return String.format(
        Locale.ROOT,
        "%-34s %4d %%  %,9.1f of %,.1f MB",
        what,
        bytes * 100 / totalBytes,
        bytes / 1e6,
        totalBytes / 1e6);
  }
}
