package io.moonpool.app.command.client;

import io.moonpool.app.shell.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client drains}. */
@Command(
    name = "drains",
    description = "List the drains that the master remembers, the newest first.")
final class DrainsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

  @Override
  public Integer call() throws InterruptedException {
    return admin.ask(
        client,
        jobs -> {
          DrainRows.jobs(spec.commandLine().getOut(), client.json(), DrainRows.list(jobs.jobs()));
          return ExitCode.OK;
        });
  }
}
