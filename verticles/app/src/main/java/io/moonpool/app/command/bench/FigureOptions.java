package io.moonpool.app.command.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What all load tests that print figures have: which sizes, and a file for programs. */
final class FigureOptions {
  @Option(
      names = "--bytes",
      split = ",",
      defaultValue = "4096,1048576",
      description = "Sizes of one value. Default: 4096,1048576.")
  private List<Integer> bytes = List.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to a file as well, as a JSON array.")
  private @Nullable Path json;

  List<Integer> bytes() {
    return bytes;
  }

  /** Writes the file that was asked for, if one was. */
  void write(List<JsonObject> figures) throws IOException {
    if (json != null) {
      Files.writeString(json, new JsonArray(figures).encodePrettily() + "\n");
    }
  }
}
