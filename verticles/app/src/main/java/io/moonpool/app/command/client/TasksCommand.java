package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code moonpool client tasks}. */
@Command(
    name = "tasks",
    description = "List the latest copies and moves, the newest first; those of drains, too.")
final class TasksCommand extends AdminCommand {
  @Parameters(
      paramLabel = "TASK",
      arity = "0..*",
      description = "Only these, by id. Default: the latest.")
  private List<String> ids = new ArrayList<>();

  @Option(
      names = "--status",
      defaultValue = "",
      description = "Only pending, processing, failed or success. Default: all.")
  private String status = "";

  @Option(
      names = "--job",
      paramLabel = "JOB",
      defaultValue = "",
      description = "Only those of this drain. Default: all.")
  private String job = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many, up to 1000. Default: 100.")
  private int limit;

  @Override
  ExitCode run(DrainJobs jobs) {
    List<JsonObject> tasks =
        ids.isEmpty()
            ? DrainRows.list(jobs.tasks(status, job, limit))
            : ids.stream().map(jobs::task).toList();
    DrainRows.tasks(out(), client().json(), tasks);
    return ExitCode.OK;
  }
}
