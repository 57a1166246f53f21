package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.model.config.ByteSizes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code moonpool client drain}. */
@Command(
    name = "drain",
    description = {
      "Move everything away from a node, its disk included, so that it can be stopped without loss.",
      "Its objects stay readable all the while, and it takes no new ones. Without --wait the drain is"
          + " started only; 'drains' and 'drain-status' tell how far it is, and 'undrain' has the"
          + " node take objects again."
    })
final class DrainCommand extends AdminCommand {
  @Mixin private DrainWait wait = new DrainWait();

  @Parameters(
      paramLabel = "NODE",
      arity = "0..1",
      defaultValue = "",
      description = "Its name, id, host id or REST address.")
  private String node = "";

  @Option(
      names = "--segments",
      split = ",",
      description = "Drain these segments, by name or id, instead of a node.")
  private List<String> segments = new ArrayList<>();

  @Option(
      names = "--targets",
      split = ",",
      description = "Only these memory segments, by name or id, may take objects. Default: all.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many objects are under way at once, 1 to 1024. Default: 4.")
  private int concurrency;

  @Option(
      names = "--max-rate",
      paramLabel = "SIZE",
      defaultValue = "0",
      description = "Move no more than this in a second, such as 100MB. Default: no limit.")
  private String maxRate = "0";

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "The drain fails when it takes longer, such as 90s or 2h. Default: none.")
  private String deadline = "0s";

  @Option(
      names = "--plan",
      description = "Tell how much would move, where to, and what would wait; change nothing.")
  private boolean plan;

  @Override
  void check() {
    if (node.isEmpty() == segments.isEmpty()) {
      throw client().wrong("name a NODE, or segments with --segments");
    }
    if (plan && wait.wanted()) {
      throw client().wrong("--plan does nothing that could be waited for: leave --wait out");
    }
    wait.check(client());
    request();
  }

  private JsonObject request() {
    return new JsonObject()
        .put("node", node)
        .put("segments", new JsonArray(segments))
        .put("target_segments", new JsonArray(targets))
        .put("max_concurrency", concurrency)
        .put("max_bytes_per_second", bytes(maxRate))
        .put("deadline_ms", DrainWait.millis(client(), "--deadline", deadline));
  }

  @Override
  ExitCode run(DrainJobs jobs) throws InterruptedException {
    JsonObject request = request();
    PrintWriter out = out();
    if (plan) {
      DrainRows.plan(out, client().json(), jobs.plan(request));
      return ExitCode.OK;
    }
    JsonObject job = jobs.create(request);
    if (wait.wanted()) {
      return wait.follow(client(), spec().commandLine(), jobs, job);
    }
    out.println(
        client().json()
            ? job.encode()
            : "drain "
                + job.getString("job_id")
                + " is started; wait for it with 'moonpool client drain-status "
                + job.getString("job_id")
                + " --wait'");
    out.flush();
    return ExitCode.OK;
  }

  private long bytes(String text) {
    try {
      return ByteSizes.parse(text);
    } catch (IllegalArgumentException e) {
      throw client().wrong("--max-rate: " + e.getMessage());
    }
  }
}
