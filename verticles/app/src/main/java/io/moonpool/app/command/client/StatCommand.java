package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.model.SegmentInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client stat}. */
@Command(
    name = "stat",
    description = {
      "Tell what the master knows about objects.",
      "VIA is the transport by which this process would read their memory. Looking does not lease"
          + " them, except for the list of the parts of an object in parts, which is read for its"
          + " size."
    })
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
    Map<Long, String> ways = new HashMap<>();
    for (SegmentInfo segment : Await.result(pool.client().segments(), LIMIT)) {
      if (!segment.spec().endpoints().isEmpty()) {
        ways.put(segment.generation(), pool.client().transportTo(segment));
      }
    }
    ObjectRows rows =
        new ObjectRows(
            pool,
            spec.commandLine().getOut(),
            client.json(),
            replica -> ways.getOrDefault(replica.generation(), ""));
    for (String key : keys) {
      rows.print(Await.result(pool.client().describe(key), LIMIT));
    }
    return ExitCode.OK;
  }
}
