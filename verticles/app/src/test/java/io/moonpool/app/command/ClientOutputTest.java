package io.moonpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.shell.ExitCode;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.node.Node;
import io.moonpool.node.NodeConfig;
import io.moonpool.node.disk.DiskConfig;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command of {@code moonpool client} prints for people and, if asked to, for programs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientOutputTest {
  private static final Set<String> REST = Set.of("top", "drain", "offline-breaker", "move");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path folder;
  private final Vertx vertx = Vertx.vertx();
  private Master master;
  private Node node;

  private record Printed(int code, String out, String err) {}

  @BeforeAll
  void start() throws Exception {
    MasterMetrics metrics = new MasterMetrics();
    master =
        Master.start(
                MasterConfig.builder().ephemeral().metadataLoops(1).rehearsal(false).build(),
                metrics.configure(new VertxOptions()),
                metrics::addTo,
                List.of(new AdminInterface(metrics)))
            .await(60, TimeUnit.SECONDS);
    node =
        Node.start(
                vertx,
                NodeConfig.builder()
                    .ephemeral()
                    .masterPort(master.ports().rpc())
                    .name("a")
                    .dataDir(folder.resolve("a").toString())
                    .segmentBytes(List.of("16MiB"))
                    .stagingBytes(8 << 20)
                    .partBytes(4 << 20)
                    .disk(DiskConfig.in(folder.resolve("disk")))
                    .build())
            .await(60, TimeUnit.SECONDS);
    Path file = Files.writeString(folder.resolve("file"), "some text");
    assertThat(run("put", file.toString(), "--key", "k").code()).isZero();
    // The disk is a segment once the node has announced it, and has the object soon after.
    await().atMost(PATIENCE).until(() -> run("stat", "k").out().contains("       2 "));
  }

  @AfterAll
  void stop() throws Exception {
    node.close().await(60, TimeUnit.SECONDS);
    master.close().await(60, TimeUnit.SECONDS);
    vertx.close().await(60, TimeUnit.SECONDS);
  }

  private Printed run(String... words) {
    List<String> line = new ArrayList<>(List.of("client"));
    line.addAll(List.of(words));
    line.addAll(List.of("--master", "127.0.0.1:" + master.ports().rpc()));
    if (REST.contains(words[0])) {
      line.addAll(List.of("--admin", "127.0.0.1:" + master.ports().http()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        MoonpoolCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(line.toArray(String[]::new));
    return new Printed(code, out.toString(), err.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls",
        "stat k",
        "exists k",
        "segments",
        "top --once",
        "disk ls",
        "disk stat a-disk",
        "drain a --plan",
        "offline-breaker",
        "put FILE --key again --upsert",
        "move k --from a-0 --to a-0"
      })
  void printsLinesForPeopleOrObjectsForPrograms(String command) {
    String[] words = command.replace("FILE", folder.resolve("file").toString()).split(" ");
    Printed people = run(words);
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--output", "json"));
    Printed programs = run(all.toArray(String[]::new));
    // There is no other segment to move it to; all else succeeds.
    int expected = command.startsWith("move") ? ExitCode.FAILED.number() : ExitCode.OK.number();
    assertThat(people.code()).as(people.err()).isEqualTo(expected);
    assertThat(programs.code()).as(programs.err()).isEqualTo(expected);
    assertThat(people.out()).doesNotContain("\033[").doesNotStartWith("{");
    programs
        .out()
        .lines()
        .forEach(line -> assertThat(new JsonObject(line).fieldNames()).as(line).isNotEmpty());
    if (expected == ExitCode.OK.number()) {
      assertThat(people.out()).isNotBlank();
      assertThat(programs.out()).isNotBlank();
    }
  }

  @Test
  void topShowsThePool() {
    Printed page = run("top", "--once");
    assertThat(page.code()).as(page.err()).isZero();
    assertThat(page.out()).contains("cluster moonpool", "a-0", "a-disk", "active");
    JsonObject all = new JsonObject(run("top", "--once", "--output", "json").out());
    assertThat(all.fieldNames())
        .containsExactly("at_ms", "cluster", "figures", "clients", "segments", "drains");
    assertThat(all.getJsonArray("segments")).hasSize(2);
  }
}
