package io.moonpool.app.shell;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a command that is not of {@code moonpool client} prints its result. With JSON, stdout has
 * that alone; what is told meanwhile goes to stderr. Belongs to the command's thread.
 */
public final class OutputOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--output",
      paramLabel = "table|json",
      defaultValue = "table",
      description =
          "How to print: table (for people) or json (for programs, one object a line)."
              + " Default: table.")
  private Output output = Output.TABLE;

  /** For the command line. */
  public OutputOption() {}

  /** Whether to print JSON. */
  public boolean json() {
    return output == Output.JSON;
  }

  /** Where text for people goes: a result's tables, and how far the command is. */
  public PrintWriter text() {
    return json() ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  /** Prints a part of the result on a line of its own; nothing when tables are wanted. */
  public void result(JsonObject part) {
    if (json()) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(part.encode());
      out.flush();
    }
  }
}
