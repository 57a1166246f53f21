package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code moonpool client copy}. */
@Command(
    name = "copy",
    description =
        "Make replicas of an object on more segments; those that have one are skipped. The master does it when there is room: tasks tells when.")
final class CopyCommand extends AdminCommand {
  @Parameters(paramLabel = "KEY", description = "Which object.")
  private String key = "";

  @Option(
      names = "--to",
      required = true,
      split = ",",
      paramLabel = "SEGMENT",
      description = "The memory segments that get a replica, by name or id.")
  private List<String> to = new ArrayList<>();

  @Override
  ExitCode run(DrainJobs jobs) {
    JsonObject request =
        new JsonObject()
            .put("type", "replica_copy")
            .put("tenant", client().tenant())
            .put("key", key)
            .put("targets", new JsonArray(to));
    DrainRows.tasks(out(), client().json(), List.of(jobs.createTask(request)));
    return ExitCode.OK;
  }
}
