package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged command line does on a terminal, which {@code script} plays. */
@Timeout(300)
class TerminalIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String ESCAPE = "\033[";
  private static final String HOME = "\033[H";
  private static final String SCREEN_AS_BEFORE = "\033[?25h\033[?1049l";

  @TempDir Path folder;
  private Process process;

  @BeforeEach
  void onlyWithAnEmulator() throws IOException {
    // Part of util-linux; without it there is no terminal to try this on.
    org.junit.jupiter.api.Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/script")), "script is not installed");
  }

  @AfterEach
  void end() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Starts a command line on a terminal; what that shows goes to the file {@code shown}. */
  private void onTerminal(Map<String, String> environment, String... arguments) throws IOException {
    String command =
        String.join(" ", FatJar.JAVA.withHeap(256)) + " " + String.join(" ", arguments);
    ProcessBuilder builder =
        new ProcessBuilder("script", "--quiet", "--flush", "--command", command, "shown")
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("TERM", "xterm");
    builder.environment().remove("NO_COLOR");
    builder.environment().putAll(environment);
    process = builder.start();
  }

  private String shown() throws IOException {
    Path shown = folder.resolve("shown");
    return Files.exists(shown) ? Files.readString(shown) : "";
  }

  private String all() throws Exception {
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return shown();
  }

  @Test
  void coloursAreShownOnATerminalUnlessItsUserWantsNone() throws Exception {
    onTerminal(Map.of(), "doctor");
    assertThat(all()).contains("huge_pages", ESCAPE);
    onTerminal(Map.of("NO_COLOR", "1"), "doctor");
    assertThat(all()).contains("huge_pages").doesNotContain(ESCAPE);
    assertThat(FatJar.run(folder, "doctor").out()).contains("huge_pages").doesNotContain(ESCAPE);
  }

  @Test
  void topDrawsOverAndLeavesTheTerminalAsItWas() throws Exception {
    try (DiskServers servers = new DiskServers(folder, "16MiB")) {
      servers.startMaster();
      onTerminal(
          Map.of(),
          "client",
          "top",
          "--interval",
          "200ms",
          "--admin",
          "127.0.0.1:" + servers.httpPort());
      await()
          .atMost(LIMIT)
          .until(() -> shown().split(java.util.regex.Pattern.quote(HOME), -1).length > 3);
      assertThat(shown()).contains("cluster ", "no node is registered");
      List<ProcessHandle> java = process.descendants().filter(TerminalIT::isJava).toList();
      assertThat(java).hasSize(1);
      // Ctrl-C would do the same, but is ignored by what a shell has started in the background.
      java.getFirst().destroy();
      assertThat(all()).contains(SCREEN_AS_BEFORE);
      assertThat(shown().substring(shown().lastIndexOf(SCREEN_AS_BEFORE))).doesNotContain(HOME);
    }
  }

  private static boolean isJava(ProcessHandle handle) {
    return handle.info().command().orElse("").endsWith("/java");
  }
}
