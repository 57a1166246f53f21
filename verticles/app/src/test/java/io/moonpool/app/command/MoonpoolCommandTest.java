package io.moonpool.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.shell.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
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
