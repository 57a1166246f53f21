package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client exists}. */
@Command(
    name = "exists",
    description = {
      "Tell which objects can be read now; those get a read lease.",
      "Ends with 0 when all can, with 4 when one cannot."
    })
final class ExistsCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Parameters(paramLabel = "KEY", arity = "1..*", description = "Which objects.")
  private List<String> keys = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    return client.connected(this::exists);
  }

  private ExitCode exists(BlockingObjects pool) {
    PrintWriter out = spec.commandLine().getOut();
    ExitCode code = ExitCode.OK;
    for (String key : keys) {
      boolean there = Await.result(pool.values().exists(key), LIMIT);
      out.println(
          client.json()
              ? new JsonObject().put("key", key).put("exists", there).encode()
              : (there ? "yes  " : "no   ") + key);
      code = there ? code : ExitCode.NOT_FOUND;
    }
    out.flush();
    return code;
  }
}
