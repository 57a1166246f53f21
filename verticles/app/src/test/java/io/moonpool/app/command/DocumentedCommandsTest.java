package io.moonpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.moonpool.app.documents.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every command line of Moonpool in the documents is one that exists. */
class DocumentedCommandsTest {
  /** In a block: to the end of the command; in a sentence: to the end of the code. */
  private static final Pattern COMMAND =
      Pattern.compile("(?m)(?:^(?:\\$ )?|[|] |`)(?:\\./)?moonpool( [^`|&<>#\\n]*)");

  /** Each parse begins anew, and making one takes longer than all the rest. */
  private static final CommandLine LINE = MoonpoolCommand.commandLine();

  private record Documented(String page, String line) {
    @Override
    public String toString() {
      return page + ": moonpool " + line;
    }
  }

  static List<Documented> commands() throws IOException {
    List<Documented> commands = new ArrayList<>();
    for (Path page : Pages.all()) {
      // The changelog names commands without what they want.
      if (page.endsWith("CHANGELOG.md")) {
        continue;
      }
      COMMAND
          .matcher(Files.readString(page))
          .results()
          .map(MatchResult::group)
          .map(found -> found.substring(found.indexOf("moonpool ") + 9).strip())
          .forEach(line -> commands.add(new Documented(page.getFileName().toString(), line)));
    }
    assertThat(commands).hasSizeGreaterThan(15);
    return commands;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void exists(Documented command) {
    String[] words = command.line().replace("\"", "").replace("'", "").split(" +");
    assertThatCode(() -> LINE.parseArgs(words)).doesNotThrowAnyException();
  }
}
