package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client stat}. */
@Command(
    name = "stat",
    description = "Tell what the master knows about objects. Looking does not lease them.")
final class StatCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Parameters(paramLabel = "KEY", arity = "1..*", description = "Which objects.")
  private List<String> keys = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    return client.connected(this::stat);
  }

  private ExitCode stat(BlockingObjects pool) {
    ObjectRows rows = new ObjectRows(spec.commandLine().getOut(), client.json());
    for (String key : keys) {
      rows.print(Await.result(pool.client().describe(key), LIMIT));
    }
    return ExitCode.OK;
  }
}
