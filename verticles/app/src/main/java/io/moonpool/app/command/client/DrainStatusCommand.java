package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code moonpool client drain-status}. */
@Command(
    name = "drain-status",
    description = "Tell how far a drain is, what waits for what, or how it ended.")
final class DrainStatusCommand extends AdminCommand {
  @Mixin private DrainWait wait = new DrainWait();

  @Parameters(paramLabel = "JOB", description = "Its id, as drains shows it.")
  private String id = "";

  @Override
  void check() {
    wait.check(client());
  }

  @Override
  ExitCode run(DrainJobs jobs) throws InterruptedException {
    JsonObject job = jobs.job(id);
    if (wait.wanted()) {
      return wait.follow(client(), spec().commandLine(), jobs, job);
    }
    DrainRows.job(out(), client().json(), job);
    return ExitCode.OK;
  }
}
