package io.moonpool.app.command.bench;

import io.vertx.core.json.JsonObject;
import java.util.List;
import picocli.CommandLine.Mixin;
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

  @Mixin private FigureFile file = new FigureFile();

  /** The sizes that were asked for, or the usual ones. */
  List<Integer> bytes(List<Integer> usual) {
    return bytes.isEmpty() ? usual : bytes;
  }

  /** The sizes that were asked for, or a small and a large one. */
  List<Integer> bytes() {
    return bytes(USUAL);
  }

  /** Writes the file that was asked for, if one was. */
  void write(List<JsonObject> figures) {
    file.write(figures);
  }
}
