package io.moonpool.master.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.TestMaster;
import io.moonpool.master.docs.Document;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A master and a service in another process, over a clustered event bus on loopback. */
class ClusteredBusTest {
  private TestMaster master;
  private Process member;

  @AfterEach
  void stop() {
    if (member != null) {
      member.destroyForcibly();
    }
    if (master != null) {
      master.close();
    }
  }

  @Test
  void anotherProcessAsksAndHears() throws Exception {
    int port = freePort();
    MasterConfig.Builder config =
        MasterConfig.builder()
            .clusterId("bus-test")
            // The node of this test sends no pings.
            .clientActiveTtlMillis(600_000)
            .clusterBus(true)
            .clusterBusHost("127.0.0.1")
            .clusterBusPort(port);
    master =
        TestMaster.of(
            Master.start(
                    config.ephemeral().build(),
                    new VertxOptions(),
                    UnaryOperator.identity(),
                    List.of(new BusInterface()))
                .toCompletionStage()
                .toCompletableFuture()
                // Joining a cluster takes long on a busy machine.
                .get(120, TimeUnit.SECONDS));
    TestMaster.Node node = master.node(1, 1 << 20);
    master.put(100, "kv/1");

    member = start(ClusterMember.class, "bus-test", Integer.toString(port), "kv/1");
    BufferedReader output = member.inputReader();
    List<String> lines = new ArrayList<>(until(output, "WAITING"));
    assertThat(lines)
        .containsExactly(
            "JOINED",
            "SEGMENTS [segment-1-0]",
            "SEGMENTS []",
            "FAILED -704 no such object: check key and tenant, or put it first");

    node.unmount(0);
    assertThat(until(output, "LOST [segment-1-0]")).isEmpty();
    lines.addAll(List.of("WAITING", "LOST [segment-1-0]"));
    new Document("event-bus.md")
        .partMustBe("output", "```\n" + String.join("\n", lines) + "\n```\n");
    assertThat(member.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(member.exitValue()).isZero();
  }

  /** The lines of the protocol before {@code last}; the log of the process is between them. */
  private static List<String> until(BufferedReader output, String last) throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              List<String> lines = new ArrayList<>();
              List<String> log = new ArrayList<>();
              try {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                  if (line.equals(last)) {
                    return lines;
                  }
                  (line.matches("[A-Z]+( .*)?") ? lines : log).add(line);
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              throw new AssertionError("ended early: " + lines + "\n" + String.join("\n", log));
            })
        .get(180, TimeUnit.SECONDS);
  }

  private static Process start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + Path.of(System.getProperty("moonpool.root"), "conf", "jvm.options"));
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
