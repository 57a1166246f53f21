package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.moonpool.app.packaged.FatJar;
import io.moonpool.app.packaged.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Each program of {@code docs/examples} does what it says, as its page says to run it. */
@Timeout(300)
@Isolated("a node that is stopped must be the only silent one")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesIT {
  private static final Path EXAMPLES = FatJar.ROOT.resolve("docs/examples");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir static Path folder;
  private final List<Process> started = new ArrayList<>();
  private DocumentedCluster cluster;
  private int busPort;

  @BeforeAll
  void start() throws Exception {
    busPort = FreePorts.any();
    cluster =
        DocumentedCluster.start(
            folder,
            Map.of(
                "cluster_bus", "true",
                "cluster_bus_port", String.valueOf(busPort),
                "client_active_ttl_ms", "4000",
                // A stopped node is to come back, however slow the machine is.
                "client_suspicion_ttl_ms", "300000",
                "lease_ttl_ms", "1000"));
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private String master(String port) {
    return "127.0.0.1:" + cluster.words().get(port);
  }

  private Path output(String name) {
    return folder.resolve(name + ".out");
  }

  private Process start(String name, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output(name).toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Runs a program to its end; what it printed, when it ended with 0. */
  private String run(String name, Map<String, String> environment, List<String> command)
      throws Exception {
    Process process = start(name, environment, command);
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String printed = Files.readString(output(name));
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  /** A program in one Java file, compiled and run by the java command. */
  private static List<String> java(String file, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + FatJar.ROOT.resolve("conf/jvm.options"));
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(FatJar.JAR.toString());
    command.add(EXAMPLES.resolve(file).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  @Test
  void anApplicationEmbedsTheClient() throws Exception {
    assertThat(run("embed", Map.of(), java("EmbedClient.java", master("50051"))).lines())
        .containsSubsequence(
            "read: a value",
            "example/prompt-1: 7 bytes",
            "example/no-such-key: OBJECT_NOT_FOUND",
            "not in the pool: computing it",
            "done");
  }

  @Test
  void javaAsksOverGrpc() throws Exception {
    assertThat(run("grpc", Map.of(), java("DescribeOverGrpc.java", master("50061"), "none")))
        .contains("failed: ");
  }

  @Test
  void aServiceDrainsANodeThatFallsSilentAgainAndAgain() throws Exception {
    Process watcher =
        start(
            "watcher",
            Map.of(),
            java("DrainWatcher.java", "moonpool", String.valueOf(busPort), "0"));
    await().atMost(LIMIT).until(() -> hasPrinted("watcher", watcher, "WATCHING"));
    run(
        "put",
        Map.of(),
        List.of(
            "curl",
            "-sf",
            "-X",
            "PUT",
            "--data-binary",
            "some bytes",
            "http://" + master("9302") + "/v1/objects/on-b"));
    long node = cluster.processes().getLast().pid();
    signal(node, "STOP");
    try {
      await().atMost(LIMIT).until(() -> hasPrinted("watcher", watcher, "active -> suspected"));
    } finally {
      signal(node, "CONT");
    }
    await().atMost(LIMIT).until(() -> hasPrinted("watcher", watcher, "suspected -> active"));
    await().atMost(LIMIT).until(() -> hasPrinted("watcher", watcher, "EMPTY "));
    await().atMost(LIMIT).until(() -> segments().contains("\"status\":\"drained\""));
    run(
        "undrain",
        Map.of(),
        List.of(
            "curl",
            "-sf",
            "-d",
            "{\"node\": \"host-b\"}",
            "http://" + master("9003") + "/api/v1/undrain"));
  }

  private String segments() throws Exception {
    return run(
        "segments",
        Map.of(),
        List.of("curl", "-sf", "http://" + master("9003") + "/api/v1/segments"));
  }

  private boolean hasPrinted(String name, Process process, String text) throws IOException {
    String printed = Files.readString(output(name));
    if (!printed.contains(text) && !process.isAlive()) {
      throw new AssertionError("ended without '" + text + "':\n" + printed);
    }
    return printed.contains(text);
  }

  private static void signal(long pid, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
  }

  @Test
  void curlGoesOnATour() throws Exception {
    String printed =
        run(
            "tour",
            Map.of(
                "MASTER", "http://" + master("9003"),
                "NODE", "http://" + master("9301"),
                "DRAIN", "host-a"),
            List.of("bash", EXAMPLES.resolve("tour.sh").toString()));
    assertThat(printed)
        .contains("\"status\":\"up\"", "OBJECT_NOT_FOUND", "event: succeeded", "{\"removed\":1}");
  }

  @Test
  void pythonNeedsNothingButItself() throws Exception {
    assumeTrue(has("python3", "import urllib.request"), "python3 is not installed");
    assertThat(
            run(
                    "python",
                    Map.of(),
                    List.of(
                        "python3",
                        EXAMPLES.resolve("moonpool_rest.py").toString(),
                        "http://" + master("9301"),
                        "http://" + master("9003")))
                .replaceFirst("move [01] objects", "move N objects")
                .lines()
                .skip(1))
        .containsExactly(
            "read back whole: True",
            "bytes 250 to 259: fafbfcfdfeff00010203",
            "a key that is not there: None",
            "a second put: OBJECT_ALREADY_EXISTS -705",
            "after an upsert: another",
            "keys: ['python/prompt 1']",
            "a drain of the first node would move N objects",
            "keys: []");
  }

  /** Where grpcio is not installed this is skipped; MOONPOOL_PYTHON names a Python that has it. */
  @Test
  void pythonAsksOverGrpc() throws Exception {
    String python = Optional.ofNullable(System.getenv("MOONPOOL_PYTHON")).orElse("python3");
    assumeTrue(has(python, "import grpc, grpc_tools"), "grpcio is not installed for " + python);
    assertThat(
            run(
                "python-grpc",
                Map.of(),
                List.of(
                    python,
                    EXAMPLES.resolve("moonpool_grpc.py").toString(),
                    master("50061"),
                    "none")))
        .contains("segment a-0 67108864", "segment b-0 67108864", "object none NOT_FOUND");
  }

  private static boolean has(String python, String statement) throws InterruptedException {
    try {
      return new ProcessBuilder(python, "-c", statement)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
