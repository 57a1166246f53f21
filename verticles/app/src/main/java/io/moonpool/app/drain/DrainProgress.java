package io.moonpool.app.drain;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells how far a drain is: on a terminal by a bar that changes, elsewhere by a line whenever
 * something has changed, a new status and the end at once, all else every few seconds. One thread.
 */
public final class DrainProgress {
  private static final long LINE_NANOS = 3_000_000_000L;
  private static final int BAR = 24;

  /** What a terminal shows in one line; what is longer would not be drawn over. */
  private static final int WIDTH = 100;

  private final PrintWriter out;
  private final boolean terminal;
  private final String what;
  private String status = "";
  private String printed = "";
  private long printedNanos;
  private boolean drawn;

  /**
   * Progress of a drain.
   *
   * @param terminal whether a line can be drawn over
   * @param what is drained, for people
   */
  public DrainProgress(PrintWriter out, boolean terminal, String what) {
    this.out = out;
    this.terminal = terminal;
    this.what = what;
  }

  /**
   * The job is so now. To be called again after a while though nothing may have changed: what came
   * too soon after a line to have one of its own is told then.
   */
  public void show(JsonObject job, long nowNanos) {
    String now = job.getString("status", "");
    String line = line(what, job);
    if (line.equals(printed)) {
      return;
    }
    if (terminal) {
      out.print("\r" + fitted(line));
      drawn = true;
    } else if (!now.equals(status) || nowNanos - printedNanos >= LINE_NANOS) {
      out.println(line);
      printedNanos = nowNanos;
    } else {
      return;
    }
    out.flush();
    status = now;
    printed = line;
  }

  /** Nothing more is to be told. */
  public void done() {
    if (drawn) {
      out.println();
      out.flush();
      drawn = false;
    }
  }

  private static String fitted(String line) {
    return line.length() > WIDTH
        ? line.substring(0, WIDTH)
        : String.format(Locale.ROOT, "%-" + WIDTH + "s", line);
  }

  /**
   * How a job is, in one line.
   *
   * @param what it drains, for people
   */
  public static String line(String what, JsonObject job) {
    long done = moved(job);
    long total = done + job.getLong("remaining_units", 0L);
    boolean ended = DrainJobs.hasEnded(job);
    double part = total == 0 ? (ended ? 1 : 0) : (double) done / total;
    int filled = (int) (part * BAR);
    String line =
        String.format(
            Locale.ROOT,
            "  %s [%s%s] %3d %%  %,d of %s  %,.1f MB",
            what,
            "#".repeat(filled),
            "-".repeat(BAR - filled),
            (int) (part * 100),
            done,
            ObjectCount.of(total),
            job.getLong("migrated_bytes", 0L) / 1e6);
    return ended ? line + "  " + job.getString("status") : line + rate(job) + waits(job);
  }

  private static String rate(JsonObject job) {
    double rate = job.getDouble("bytes_per_second", 0.0);
    Long leftMillis = job.getLong("remaining_ms");
    return String.format(Locale.ROOT, "  %,.1f MB/s", rate / 1e6)
        + (leftMillis == null || rate == 0 ? "" : "  " + duration(leftMillis) + " left");
  }

  private static String waits(JsonObject job) {
    long waiting = job.getLong("blocked_units", 0L) + job.getLong("rehoming_units", 0L);
    return waiting > 0 && job.getInteger("active_units", 0) == 0
        ? "  " + job.getString("message")
        : "";
  }

  private static long moved(JsonObject job) {
    return job.getLong("succeeded_units", 0L)
        + job.getLong("dropped_units", 0L)
        + job.getLong("gone_units", 0L);
  }

  private static String duration(long millis) {
    long seconds = Math.ceilDiv(millis, 1_000L);
    return seconds < 120
        ? seconds + " s"
        : seconds < 7_200
            ? Math.ceilDiv(seconds, 60L) + " min"
            : Math.ceilDiv(seconds, 3_600L) + " h";
  }

  /** What a job that succeeded did, in a sentence. */
  public static String summary(JsonObject job) {
    long millis = job.getLong("updated_at_ms") - job.getLong("created_at_ms");
    long bytes = job.getLong("migrated_bytes");
    return String.format(
        Locale.ROOT,
        "%s moved, %,.1f MB in %.1f s%s%s%s",
        ObjectCount.of(job.getLong("succeeded_units")),
        bytes / 1e6,
        millis / 1e3,
        millis == 0 ? "" : String.format(Locale.ROOT, " (%,.1f MB/s)", bytes / 1e3 / millis),
        count(
            job,
            "dropped_units",
            "was given up here, since all others have it",
            "were given up here, since all others have them"),
        count(
            job,
            "gone_units",
            "was removed or overwritten meanwhile",
            "were removed or overwritten meanwhile"));
  }

  /**
   * What a job that ended before all was done has left, and how much of it failed, in a sentence
   * without its full stop. Why the rest has not moved is in the job's message. Empty: nothing.
   */
  public static String left(JsonObject job) {
    long lost = job.getLong("lost_units", 0L);
    long failed = job.getLong("failed_units", 0L);
    long left = Math.max(failed, job.getLong("remaining_units", 0L) - lost);
    List<String> parts = new ArrayList<>();
    if (left > 0) {
      String all = ObjectCount.of(left) + (left == 1 ? " is left" : " are left");
      parts.add(
          failed == 0
              ? all
              : String.format(
                  Locale.ROOT,
                  "%s: %,d failed in all tries, %,d had not moved yet",
                  all,
                  failed,
                  left - failed));
    }
    if (lost > 0) {
      parts.add(
          ObjectCount.of(lost)
              + (lost == 1 ? " was" : " were")
              + " still there when the node went away");
    }
    return String.join("; ", parts);
  }

  private static String count(JsonObject job, String figure, String one, String many) {
    long count = job.getLong(figure, 0L);
    return count == 0 ? "" : String.format(Locale.ROOT, "; %,d %s", count, count == 1 ? one : many);
  }
}
