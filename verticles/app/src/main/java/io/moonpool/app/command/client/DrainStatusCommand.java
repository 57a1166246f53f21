package io.moonpool.app.command.client;

import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client drain-status}. */
@Command(
    name = "drain-status",
    description = "Tell how far a drain is, what waits for what, or how it ended.")
final class DrainStatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();
  @Mixin private DrainWait wait = new DrainWait();

  @Parameters(paramLabel = "JOB", description = "Its id, as drains shows it.")
  private String id = "";

  @Override
  public Integer call() throws InterruptedException {
    wait.check(client);
    return admin.ask(
        client,
        jobs -> {
          JsonObject job = jobs.job(id);
          if (wait.wanted()) {
            return wait.follow(client, spec.commandLine(), jobs, job);
          }
          DrainRows.job(spec.commandLine().getOut(), client.json(), job);
          return ExitCode.OK;
        });
  }
}
