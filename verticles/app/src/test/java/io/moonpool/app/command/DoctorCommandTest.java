package io.moonpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The doctor's report, for people and for scripts. */
class DoctorCommandTest {
  private static final List<String> CHECKS =
      List.of(
          "java",
          "java_flags",
          "cores",
          "memory_lock_limit",
          "huge_pages",
          "socket_buffers",
          "shared_memory",
          "disk",
          "io_uring",
          "scheduling",
          "ucx",
          "rdma_devices",
          "master",
          "clock");

  private final StringWriter out = new StringWriter();

  private int run(String... args) {
    CommandLine line = MoonpoolCommand.commandLine();
    line.setOut(new PrintWriter(out));
    line.getSubcommands().get("doctor").setOut(new PrintWriter(out));
    return line.execute(args);
  }

  @Test
  void printsJson(@TempDir Path folder) {
    int code = run("doctor", "--json", "--disk-dir", folder.toString());
    JsonObject report = new JsonObject(out.toString());
    JsonArray checks = report.getJsonArray("checks");
    assertThat(checks.stream().map(check -> ((JsonObject) check).getString("check")))
        .containsExactlyElementsOf(CHECKS);
    assertThat(report.getString("verdict")).isIn("OK", "NOTE", "WARN");
    assertThat(code).isEqualTo(ExitCode.OK.number());
    for (Object check : checks) {
      assertThat(((JsonObject) check).fieldNames())
          .containsExactly("check", "verdict", "found", "advice");
    }
  }

  @Test
  void printsALineForEachCheck() {
    assertThat(run("doctor")).isEqualTo(ExitCode.OK.number());
    assertThat(out.toString().lines().filter(line -> !line.startsWith(" "))).hasSize(CHECKS.size());
    assertThat(out.toString()).contains("memory_lock_limit", "-> name the folder with --disk-dir");
  }

  @Test
  void tellsScriptsByItsExitCode(@TempDir Path folder) throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    assertThat(run("doctor", "--master", "127.0.0.1:" + free)).isEqualTo(ExitCode.FAILED.number());
    assertThat(run("doctor", "--disk-dir", folder.resolve("none").toString()))
        .isEqualTo(ExitCode.FAILED.number());
    // The tests do not run with all flags of the launcher, which could be better.
    assertThat(out.toString()).contains("FAIL");
  }
}
