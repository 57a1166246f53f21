package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.DrainProgress;
import io.moonpool.app.drain.ObjectCount;
import io.moonpool.app.shell.Terminal;
import io.moonpool.app.shell.Tone;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints drain jobs, plans and tasks: as columns for people, or one JSON object a line. */
final class DrainRows {
  private DrainRows() {}

  static List<JsonObject> list(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /** What a job drains, as whoever made it named it. */
  static String what(JsonObject job) {
    JsonObject request = job.getJsonObject("request", new JsonObject());
    String node = request.getString("node", "");
    return node.isEmpty()
        ? request.getJsonArray("segments", new JsonArray()).stream()
            .map(String::valueOf)
            .collect(Collectors.joining(","))
        : node;
  }

  /** A status, filled up first: colours take characters. */
  private static String status(String format, JsonObject row) {
    String status = row.getString("status");
    return Tone.ofState(status)
        .of(String.format(Locale.ROOT, format, status), Terminal.hasColours());
  }

  static void jobs(PrintWriter out, boolean json, List<JsonObject> jobs) {
    if (!json) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-36s %-10s %-20s %10s %10s %10s %12s",
              "JOB",
              "STATUS",
              "DRAINS",
              "MOVED",
              "LEFT",
              "FAILED",
              "MB"));
    }
    for (JsonObject job : jobs) {
      out.println(
          json
              ? job.encode()
              : String.format(
                  Locale.ROOT,
                  "%-36s %s %-20s %10d %10d %10d %12.1f",
                  job.getString("job_id"),
                  status("%-10s", job),
                  what(job),
                  job.getLong("succeeded_units"),
                  job.getLong("remaining_units"),
                  job.getLong("failed_units"),
                  job.getLong("migrated_bytes") / 1e6));
    }
    out.flush();
  }

  static void job(PrintWriter out, boolean json, JsonObject job) {
    if (json) {
      out.println(job.encode());
    } else {
      jobs(out, false, List.of(job));
      row(out, "message", job.getString("message"));
      String left = DrainProgress.left(job);
      if (DrainJobs.hasEnded(job) && !left.isEmpty()) {
        row(out, "left", left);
      }
      count(out, "given up here", job.getLong("dropped_units"), " (all others have them)");
      count(out, "gone meanwhile", job.getLong("gone_units"), "");
      count(out, "failed attempts", job.getLong("failed_attempts"), "");
      count(out, "under way", job.getInteger("active_units"), "");
      count(out, "wait", job.getLong("blocked_units"), "");
      count(out, "not on a disk yet", job.getLong("rehoming_units"), " of those that moved");
      segments(out, "drains", job.getJsonArray("segments"));
      DrainJobs.blocked(job.getJsonArray("blocked")).forEach(unit -> out.println("    " + unit));
    }
    out.flush();
  }

  static void plan(PrintWriter out, boolean json, JsonObject plan) {
    if (json) {
      out.println(plan.encode());
    } else {
      segments(out, "would drain", plan.getJsonArray("segments"));
      row(
          out,
          "would move",
          String.format(
              Locale.ROOT,
              "%s, %,.1f MB; %,d of them from disk",
              ObjectCount.of(plan.getLong("units")),
              plan.getLong("bytes") / 1e6,
              plan.getLong("disk_units")));
      long dropped = plan.getLong("dropped_units");
      if (dropped > 0) {
        row(
            out,
            "would give up",
            String.format(
                Locale.ROOT,
                dropped == 1
                    ? "%,d replica, since others remain"
                    : "%,d replicas, since others remain",
                dropped));
      }
      if (plan.getJsonArray("targets").isEmpty()) {
        row(out, "to", "nowhere: no other segment of memory takes objects now");
      }
      for (JsonObject target : list(plan.getJsonArray("targets"))) {
        row(
            out,
            "to " + target.getString("name"),
            String.format(
                Locale.ROOT,
                "about %,.1f MB; %s",
                target.getLong("expected_bytes") / 1e6,
                room(target)));
      }
      row(
          out,
          "would wait",
          ObjectCount.of(plan.getLong("blocked_units")) + noRoom(plan.getLong("no_room_bytes")));
      DrainJobs.blocked(plan.getJsonArray("blocked")).forEach(unit -> out.println("    " + unit));
    }
    out.flush();
  }

  /** What a drain may use of a target. */
  private static String room(JsonObject target) {
    long free = target.getLong("free_bytes");
    long room = target.getLong("room_bytes");
    String all = String.format(Locale.ROOT, "%,.1f MB are free", free / 1e6);
    return room == free
        ? all
        : all
            + String.format(
                Locale.ROOT,
                ", %,.1f MB of them below the high watermark: its node has no disk",
                room / 1e6);
  }

  private static String noRoom(long bytes) {
    return bytes == 0
        ? ""
        : String.format(Locale.ROOT, ", and %,.1f MB for which no target has room", bytes / 1e6);
  }

  private static void row(PrintWriter out, String name, String value) {
    out.println(String.format(Locale.ROOT, "  %-18s %s", name, value));
  }

  /** A figure that tells nothing while it is 0. */
  private static void count(PrintWriter out, String name, long count, String note) {
    if (count > 0) {
      row(out, name, String.format(Locale.ROOT, "%,d%s", count, note));
    }
  }

  private static void segments(PrintWriter out, String name, JsonArray segments) {
    row(
        out,
        name,
        list(segments).stream()
            .map(segment -> segment.getString("name"))
            .collect(Collectors.joining(", ")));
  }

  static void tasks(PrintWriter out, boolean json, List<JsonObject> tasks) {
    if (!json) {
      out.println(
          String.format(
              Locale.ROOT, "%-36s %-13s %-11s %12s  %s", "TASK", "TYPE", "STATUS", "BYTES", "KEY"));
    }
    for (JsonObject task : tasks) {
      String message = task.getString("message", "");
      out.println(
          json
              ? task.encode()
              : String.format(
                  Locale.ROOT,
                  "%-36s %-13s %s %12d  %s%s",
                  task.getString("task_id"),
                  task.getString("type"),
                  status("%-11s", task),
                  task.getLong("size"),
                  task.getString("key"),
                  message.isEmpty() ? "" : "  (" + message + ")"));
    }
    out.flush();
  }
}
