package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code moonpool client cancel-drain}. */
@Command(
    name = "cancel-drain",
    description =
        "End a drain before it is done. What has moved stays where it is now; its segments take objects again.")
final class CancelDrainCommand extends AdminCommand {
  @Parameters(paramLabel = "JOB", description = "Its id, as drains shows it.")
  private String id = "";

  @Override
  ExitCode run(DrainJobs jobs) {
    JsonObject job = jobs.cancel(id);
    PrintWriter out = out();
    out.println(client().json() ? job.encode() : "canceled " + job.getString("job_id"));
    out.flush();
    return ExitCode.OK;
  }
}
