package io.moonpool.app.command.client;

import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client cancel-drain}. */
@Command(
    name = "cancel-drain",
    description =
        "End a drain before it is done. What has moved stays where it is now; its segments take objects again.")
final class CancelDrainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

  @Parameters(paramLabel = "JOB", description = "Its id, as drains shows it.")
  private String id = "";

  @Override
  public Integer call() throws InterruptedException {
    return admin.ask(
        client,
        jobs -> {
          JsonObject job = jobs.cancel(id);
          PrintWriter out = spec.commandLine().getOut();
          out.println(client.json() ? job.encode() : "canceled " + job.getString("job_id"));
          out.flush();
          return ExitCode.OK;
        });
  }
}
