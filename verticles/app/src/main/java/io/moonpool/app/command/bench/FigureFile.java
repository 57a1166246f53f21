package io.moonpool.app.command.bench;

import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file for programs, of load tests that print a list of figures. */
final class FigureFile {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to a file as well, as a JSON array.")
  private @Nullable Path json;

  /**
   * Writes the file that was asked for, if one was.
   *
   * @throws CommandFailure when it cannot be written
   */
  void write(List<JsonObject> figures) {
    if (json == null) {
      return;
    }
    try {
      Files.writeString(json, new JsonArray(figures).encodePrettily() + "\n");
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "--json " + json + ": " + e.getMessage());
    }
  }
}
