package io.moonpool.app.command;

import io.moonpool.app.documents.GeneratedPart;
import io.moonpool.app.shell.ExitCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code docs/command-line.md} lists is what there is. */
class CommandLinePageTest {
  private static final String PAGE = "docs/command-line.md";

  @Test
  void theExitCodesAreThoseOfThePage() throws IOException {
    GeneratedPart.of(PAGE, "exit codes")
        .mustBe(
            Arrays.stream(ExitCode.values())
                .map(code -> "| " + code.number() + " | " + code.meaning() + " |\n")
                .collect(Collectors.joining("", "| code | meaning |\n|---|---|\n", "")));
  }

  @Test
  void theCommandsAreThoseOfThePage() throws IOException {
    StringBuilder table = new StringBuilder("| command | |\n|---|---|\n");
    add(table, MoonpoolCommand.commandLine());
    GeneratedPart.of(PAGE, "commands").mustBe(table.toString());
  }

  private static void add(StringBuilder table, CommandLine line) {
    line.getSubcommands()
        .forEach(
            (name, sub) -> {
              if (sub.getCommandSpec().usageMessage().hidden() || name.equals("help")) {
                return;
              }
              if (sub.getSubcommands().isEmpty()) {
                table
                    .append("| `")
                    .append(sub.getCommandSpec().qualifiedName().replaceFirst("moonpool ", ""))
                    .append("` | ")
                    .append(
                        sub.getCommandSpec().usageMessage().description()[0].replace("|", "\\|"))
                    .append(" |\n");
              }
              add(table, sub);
            });
  }
}
