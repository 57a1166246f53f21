package io.moonpool.app.command.bench;

import io.moonpool.app.shell.FigureOutput;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all load tests that print figures have: which sizes, and how these are told. */
final class FigureOptions {
  private static final List<Integer> USUAL = List.of(4096, 1_048_576);

  @Option(
      names = "--bytes",
      split = ",",
      description =
          "Sizes of one value. Default: 4096,1048576; for transfer also 65536 and 4194304.")
  private List<Integer> bytes = List.of();

  @Mixin private FigureOutput file = new FigureOutput();

  /** The sizes that were asked for, or the usual ones. */
  List<Integer> bytes(List<Integer> usual) {
    return bytes.isEmpty() ? usual : bytes;
  }

  /** The sizes that were asked for, or a small and a large one. */
  List<Integer> bytes() {
    return bytes(USUAL);
  }

  /** Where tables and progress go. */
  PrintWriter text() {
    return file.text();
  }

  /** Tells the figures to programs, where that was asked for. */
  void write(List<JsonObject> figures) {
    file.write(figures);
  }
}
