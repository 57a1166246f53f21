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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client rm}. */
@Command(name = "rm", description = "Remove objects, large ones with their parts.")
final class RemoveCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Parameters(paramLabel = "KEY", arity = "0..*", description = "Which objects.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--matching",
      paramLabel = "REGEX",
      description =
          "Remove all objects in whose keys this Java regular expression is found; the empty one"
              + " is found in all.")
  private @Nullable String pattern;

  @Option(
      names = {"-f", "--force"},
      description = "Also objects that somebody reads now.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    if (keys.isEmpty() == (pattern == null)) {
      throw client.wrong("name the objects, or say which with --matching");
    }
    return client.connected(this::remove);
  }

  private ExitCode remove(BlockingObjects pool) {
    PrintWriter out = spec.commandLine().getOut();
    long removed = 0;
    if (pattern != null) {
      removed = Await.result(pool.client().removeMatching(pattern, force), LIMIT);
    }
    for (String key : keys) {
      Await.result(pool.values().remove(key, force), LIMIT);
      removed++;
    }
    out.println(
        client.json()
            ? new JsonObject().put("removed", removed).encode()
            : "removed " + removed + (removed == 1 ? " object" : " objects"));
    out.flush();
    return ExitCode.OK;
  }
}
