package io.moonpool.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MoonpoolCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void everyCommandExplainsItselfAndItsExitCodes() {
    Deque<CommandLine> open = new ArrayDeque<>();
    open.add(MoonpoolCommand.commandLine());
    while (!open.isEmpty()) {
      CommandLine line = open.remove();
      open.addAll(line.getSubcommands().values());
      String help = line.getUsageMessage();
      String name = line.getCommandSpec().qualifiedName();
      assertThat(line.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
      assertThat(help).as(name).contains("Exit codes:", "wrong command line");
    }
  }

  /** A bare percent sign in a description is one: it is printed beside a warning of the library. */
  @Test
  void noCommandWarnsWhenItExplainsItself() {
    PrintStream stderr = System.err;
    var warnings = new ByteArrayOutputStream();
    System.setErr(new PrintStream(warnings, true, UTF_8));
    try {
      everyCommandExplainsItselfAndItsExitCodes();
    } finally {
      System.setErr(stderr);
    }
    assertThat(warnings.toString(UTF_8)).isEmpty();
  }

  /** What prints a script or is a helper of the library has no result to choose a form for. */
  @Test
  void everyCommandThatPrintsAResultPrintsItAsJsonToo() {
    Deque<CommandLine> open = new ArrayDeque<>();
    open.add(MoonpoolCommand.commandLine());
    List<String> without = new ArrayList<>();
    while (!open.isEmpty()) {
      CommandLine line = open.remove();
      open.addAll(line.getSubcommands().values());
      if (line.getSubcommands().isEmpty()
          && !line.getCommandSpec().usageMessage().hidden()
          && line.getCommandSpec().findOption("--output") == null) {
        without.add(line.getCommandSpec().qualifiedName());
      }
    }
    assertThat(without).containsExactlyInAnyOrder("moonpool help", "moonpool completion");
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "bench allocator --gib 1", "doctor", "master --check"})
  void withOutputJsonStdoutHasOneObjectALineAndNothingElse(String command) {
    assertThat(run((command + " --output json").split(" "))).isZero();
    assertThat(out.toString().lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(new JsonObject(line).isEmpty()).isFalse());
  }

  @Test
  void helpGoesToStdoutAndEndsWithZero() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Usage: moonpool");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void anUnknownCommandIsAUsageError() {
    assertThat(run("drown")).isEqualTo(ExitCode.USAGE.number());
    assertThat(err.toString()).contains("drown").contains("Try 'moonpool --help'");
  }

  @Test
  void anUnknownLogLevelIsAUsageErrorThatListsTheLevels() {
    assertThat(run("help", "--log-level", "loud")).isEqualTo(ExitCode.USAGE.number());
    assertThat(err.toString()).contains("loud").contains("debug");
  }

  private int run(String... args) {
    return MoonpoolCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
