package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code moonpool client undrain}. */
@Command(
    name = "undrain",
    description =
        "Have nodes or segments take objects again that were drained, or could not be drained.")
final class UndrainCommand extends AdminCommand {
  @Parameters(
      paramLabel = "NODE|SEGMENT",
      arity = "1..*",
      description = "Names or ids of nodes or segments.")
  private List<String> names = new ArrayList<>();

  @Override
  ExitCode run(DrainJobs jobs) {
    PrintWriter out = out();
    for (String name : names) {
      JsonArray back = jobs.undrain(name);
      List<JsonObject> segments = new ArrayList<>(DrainRows.list(back));
      segments.sort(Comparator.comparing(segment -> segment.getString("name")));
      for (JsonObject segment : segments) {
        out.println(
            client().json()
                ? segment.encode()
                : segment.getString("name") + " takes objects again");
      }
      if (back.isEmpty() && !client().json()) {
        out.println(name + " was not drained");
      }
    }
    out.flush();
    return ExitCode.OK;
  }
}
