package io.moonpool.app.command.client;

import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client move}. */
@Command(
    name = "move",
    description =
        "Move one replica of an object from one segment to another. What the node has on its disk stays. The master does it when there is room: tasks tells when.")
final class MoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

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
  public Integer call() throws InterruptedException {
    JsonObject request =
        new JsonObject()
            .put("type", "replica_move")
            .put("tenant", client.tenant())
            .put("key", key)
            .put("source", from)
            .put("target", to);
    return admin.ask(
        client,
        jobs -> {
          DrainRows.tasks(
              spec.commandLine().getOut(), client.json(), List.of(jobs.createTask(request)));
          return ExitCode.OK;
        });
  }
}
