package io.moonpool.app.command;

import io.moonpool.app.shell.Output;
import picocli.CommandLine.Option;

/** How a command that is not of {@code moonpool client} prints its result. */
final class OutputOption {
  @Option(
      names = "--output",
      paramLabel = "table|json",
      defaultValue = "table",
      description = "How to print: table (for people) or json (for programs). Default: table.")
  private Output output = Output.TABLE;

  /** Whether to print JSON. */
  boolean json() {
    return output == Output.JSON;
  }
}
