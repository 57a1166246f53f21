package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.DrainProgress;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.Durations;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Terminal;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Waiting for a drain job: the options, and the wait itself. Who stops it leaves the job running.
 */
final class DrainWait {
  private static final Duration FOREVER = Duration.ofDays(3_650);

  @Option(
      names = "--wait",
      description = {
        "Wait until the drain has ended and tell how far it is. The exit code tells the end.",
        "Ctrl-C leaves the drain running."
      })
  private boolean wait;

  @Option(
      names = "--wait-timeout",
      paramLabel = "TIME",
      defaultValue = "",
      description =
          "Wait no longer than this, such as 90s or 10m; the drain goes on. Implies --wait.")
  private String timeout = "";

  /** Whether to wait. */
  boolean wanted() {
    return wait || !timeout.isEmpty();
  }

  private Duration limit(ClientCommand client) {
    return timeout.isEmpty()
        ? FOREVER
        : Duration.ofMillis(millis(client, "--wait-timeout", timeout));
  }

  /** A time that the user wrote. */
  static long millis(ClientCommand client, String option, String text) {
    try {
      return Durations.parseMillis(text);
    } catch (IllegalArgumentException e) {
      throw client.wrong(option + ": " + e.getMessage());
    }
  }

  /** Checks the options, before anything is done. */
  void check(ClientCommand client) {
    limit(client);
  }

  /** Waits for a job and tells how it ended. */
  ExitCode follow(ClientCommand client, CommandLine line, DrainJobs jobs, JsonObject job)
      throws InterruptedException {
    String id = job.getString("job_id");
    PrintWriter out = line.getOut();
    DrainProgress progress = new DrainProgress(out, Terminal.isThere(), DrainRows.what(job));
    AtomicBoolean waiting = new AtomicBoolean(true);
    Thread hint =
        new Thread(
            () -> {
              if (waiting.get()) {
                line.getErr().println("\nmoonpool: " + goesOn(id));
                line.getErr().flush();
              }
            },
            "moonpool-drain-hint");
    Runtime.getRuntime().addShutdownHook(hint);
    JsonObject last;
    try {
      last =
          jobs.follow(
              id,
              limit(client),
              now -> {
                if (!client.json()) {
                  progress.show(now, System.nanoTime());
                }
              });
    } finally {
      waiting.set(false);
      progress.done();
    }
    if (client.json()) {
      out.println(last.encode());
    }
    out.flush();
    return ended(client, out, last);
  }

  private static String goesOn(String id) {
    return "the drain goes on; wait for it with 'moonpool client drain-status "
        + id
        + " --wait', end it with 'moonpool client cancel-drain "
        + id
        + "'";
  }

  private static ExitCode ended(ClientCommand client, PrintWriter out, JsonObject job) {
    String id = job.getString("job_id");
    String status = job.getString("status");
    if (status.equals("succeeded")) {
      if (!client.json()) {
        out.println(DrainRows.what(job) + " is drained: " + DrainProgress.summary(job));
        out.flush();
      }
      return ExitCode.OK;
    }
    throw switch (status) {
      case "failed" ->
          new CommandFailure(
              ExitCode.DRAIN_FAILED,
              "the drain " + id + " failed: " + job.getString("message") + left(job) + next(job));
      case "canceled" ->
          new CommandFailure(ExitCode.DRAIN_CANCELED, "the drain " + id + " was canceled");
      default ->
          new CommandFailure(
              ExitCode.TIMED_OUT,
              "the time to wait is over (" + job.getString("message") + "); " + goesOn(id));
    };
  }

  /** What to do now, and where the reasons that were named are explained. */
  private static String next(JsonObject job) {
    return (job.getLong("lost_units") > 0
            ? "\nCopies on other nodes, and on its own disk, remain. When the node is there again, its"
            : "\nIts")
        + " segments take no objects until they are drained again, or undrained with 'moonpool"
        + " client undrain'."
        + (job.getJsonArray("blocked").isEmpty()
            ? ""
            : " What each reason means, and what cures it, is in docs/drain.md, 'What waits, and"
                + " for what'.");
  }

  private static String after(int named, JsonObject job) {
    return named == 0 ? "" : named < job.getLong("remaining_units") ? ", the first of them:" : ":";
  }

  /** How much is left, and the first objects of it with their reasons, on lines of their own. */
  private static String left(JsonObject job) {
    List<String> units = DrainJobs.blocked(job.getJsonArray("blocked"));
    String left = DrainProgress.left(job);
    return (left.isEmpty() ? "" : "\n" + left + after(units.size(), job))
        + (units.isEmpty() ? "" : "\n  " + String.join("\n  ", units));
  }
}
