package io.moonpool.app.shell;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What all load tests have to tell their figures: {@code --output}, and a file for programs beside
 * the tables. Belongs to the command's thread.
 */
public final class FigureOutput {
  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures to a file.")
  private @Nullable Path json;

  /** For the command line. */
  public FigureOutput() {}

  /** Where tables and progress go. */
  public PrintWriter text() {
    return output.text();
  }

  /**
   * Tells a list of figures: an object a line, an array in the file.
   *
   * @throws CommandFailure when the file that was asked for cannot be written
   */
  public void write(List<JsonObject> figures) {
    figures.forEach(output::result);
    write(new JsonArray(figures).encodePrettily());
  }

  /**
   * Tells figures that are one object.
   *
   * @throws CommandFailure when the file that was asked for cannot be written
   */
  public void write(JsonObject figures) {
    output.result(figures);
    write(figures.encodePrettily());
  }

  private void write(String figures) {
    if (json == null) {
      return;
    }
    try {
      Files.writeString(json, figures + "\n");
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "--json " + json + ": " + e.getMessage());
    }
  }
}
