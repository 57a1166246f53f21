package io.moonpool.app.command.client;

import io.moonpool.app.command.client.DiskCommand.Disk;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client disk stat}. */
@Command(name = "stat", description = "Tell all that a node knows about its disk.")
final class DiskStatCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private DiskCommand parent = new DiskCommand();

  @Parameters(
      paramLabel = "DISK",
      arity = "1..*",
      description = "Names of disks, as 'disk ls' shows them, or ids of their nodes.")
  private List<String> names = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    return parent.on(names, this::stat);
  }

  /** A line for each figure; those of an object in it have its name before theirs. */
  private static void print(PrintWriter out, String before, JsonObject figures) {
    figures.forEach(
        figure -> {
          if (figure.getValue() instanceof JsonObject inner) {
            print(out, before + figure.getKey() + ".", inner);
          } else {
            out.println(
                String.format(
                    Locale.ROOT, "  %-28s %s", before + figure.getKey(), figure.getValue()));
          }
        });
  }

  private ExitCode stat(List<Disk> disks, NodeHttp http) {
    PrintWriter out = spec.commandLine().getOut();
    for (Disk disk : disks) {
      JsonObject status =
          http.call(disk, HttpMethod.GET, "/v1/disk").put("node_id", disk.nodeId().toString());
      if (parent.json()) {
        out.println(status.encode());
      } else {
        out.println(disk.name());
        print(out, "", status);
      }
    }
    out.flush();
    return ExitCode.OK;
  }
}
