package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code moonpool client move}. */
@Command(
    name = "move",
    description =
        "Move one replica of an object from one segment to another. What the node has on its disk stays. The master does it when there is room: tasks tells when.")
final class MoveCommand extends AdminCommand {
  @Parameters(paramLabel = "KEY", description = "Which object.")
  private String key = "";

  @Option(
      names = "--from",
      required = true,
      paramLabel = "SEGMENT",
      description = "The segment that has the replica, by name or id.")
  private String from = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "SEGMENT",
      description = "The memory segment that gets it, by name or id.")
  private String to = "";

  @Override
  ExitCode run(DrainJobs jobs) {
    JsonObject request =
        new JsonObject()
            .put("type", "replica_move")
            .put("tenant", client().tenant())
            .put("key", key)
            .put("source", from)
            .put("target", to);
    DrainRows.tasks(out(), client().json(), List.of(jobs.createTask(request)));
    return ExitCode.OK;
  }
}
