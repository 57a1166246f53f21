package io.moonpool.node;

import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, which can be killed. */
final class NodeProcess implements AutoCloseable {
  private static final String READY = "READY";

  private final Process process;

  private NodeProcess(Process process) {
    this.process = process;
  }

  /** Starts one and waits until its segment is mounted. */
  static NodeProcess start(int masterPort, Path dataDirectory) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName(),
                Integer.toString(masterPort),
                dataDirectory.toString())
            .redirectErrorStream(true)
            .start();
    NodeProcess started = new NodeProcess(process);
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder all = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.equals(READY)) {
        Thread.ofVirtual().start(() -> output.lines().forEach(ignored -> {}));
        return started;
      }
      all.append(line).append('\n');
    }
    started.close();
    throw new AssertionError("the node did not start:\n" + all);
  }

  long pid() {
    return process.pid();
  }

  /** Kills it without a chance to say goodbye. */
  void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("process " + pid() + " does not die");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }

  /** The process. */
  public static void main(String[] arguments) throws Exception {
    NodeConfig config =
        NodeConfig.builder()
            .ephemeral()
            .masterPort(Integer.parseInt(arguments[0]))
            .dataDir(arguments[1])
            .name("process")
            .segmentBytes(List.of("64MiB"))
            .heartbeatIntervalMillis(100)
            .build();
    Node.start(Vertx.vertx(), config).await(60, TimeUnit.SECONDS);
    System.out.println(READY);
  }
}
