package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.client.ObjectListing;
import io.moonpool.model.ObjectInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client ls}. */
@Command(
    name = "ls",
    description = {
      "List objects, in no particular order.",
      "Parts of large objects, KEY.part-..., are left out unless --parts asks for them.",
      "Of an object in parts its list of them is read, which leases that list."
    })
final class ListCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PAGE = 1_000;

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Parameters(
      paramLabel = "REGEX",
      arity = "0..1",
      defaultValue = "",
      description = "Only keys in which this Java regular expression is found.")
  private String pattern = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most so many; 0: all. Default: 1000.")
  private long limit;

  @Option(names = "--parts", description = "Also the parts of large objects.")
  private boolean parts;

  @Override
  public Integer call() throws IOException {
    return client.connected(this::list);
  }

  private ExitCode list(BlockingObjects pool) {
    ObjectRows rows = new ObjectRows(pool, spec.commandLine().getOut(), client.json());
    ObjectListing listing = pool.client().list(pattern, PAGE);
    long printed = 0;
    while (!listing.isFinished()) {
      for (ObjectInfo object : Await.result(listing.nextPage(), LIMIT)) {
        if (!parts && ObjectRows.isPart(object)) {
          continue;
        }
        if (limit > 0 && printed == limit) {
          spec.commandLine().getErr().println("there are more: see --limit");
          return ExitCode.OK;
        }
        rows.print(object);
        printed++;
      }
    }
    return ExitCode.OK;
  }
}
