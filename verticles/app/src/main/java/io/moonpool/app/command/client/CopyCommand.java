package io.moonpool.app.command.client;

import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client copy}. */
@Command(
    name = "copy",
    description =
        "Make replicas of an object on more segments; those that have one are skipped. The master does it when there is room: tasks tells when.")
final class CopyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

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
  public Integer call() throws InterruptedException {
    JsonObject request =
        new JsonObject()
            .put("type", "replica_copy")
            .put("tenant", client.tenant())
            .put("key", key)
            .put("targets", new JsonArray(to));
    return admin.ask(
        client,
        jobs -> {
          DrainRows.tasks(
              spec.commandLine().getOut(), client.json(), List.of(jobs.createTask(request)));
          return ExitCode.OK;
        });
  }
}
