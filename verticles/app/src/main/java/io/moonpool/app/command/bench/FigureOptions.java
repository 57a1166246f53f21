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
  private static final List<Integer> USUAL = List.of(4096, 1_048_576);

  @Option(
      names = "--bytes",
      split = ",",
      description =
          "Sizes of one value. Default: 4096,1048576; for transfer also 65536 and 4194304.")
  private List<Integer> bytes = List.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to a file as well, as a JSON array.")
  private @Nullable Path json;

  /** The sizes that were asked for, or the usual ones. */
  List<Integer> bytes(List<Integer> usual) {
    return bytes.isEmpty() ? usual : bytes;
  }

  /** The sizes that were asked for, or a small and a large one. */
  List<Integer> bytes() {
    return bytes(USUAL);
  }

  /** Writes the file that was asked for, if one was. */
  void write(List<JsonObject> figures) throws IOException {
    if (json != null) {
      Files.writeString(json, new JsonArray(figures).encodePrettily() + "\n");
    }
  }
}
