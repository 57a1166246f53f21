package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.packaged.FatJar.Result;
import io.moonpool.ucx.UcxLibrary;
import io.moonpool.ucx.UcxUnavailableException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged demo, on small data. */
@Timeout(300)
class DemoIT {
  private static final Pattern NODE_ROW = Pattern.compile("(?m)^node-\\d +(\\d+) ");

  private static final Pattern MASTER_ROW = Pattern.compile("(?m)^master +\\d+ +([0-9]+\\.[0-9])$");

  /** Objects in memory, on SSD only, on both; MB from memory, from SSD. */
  private static final String SOURCES = " +(\\d+) +(\\d+) +\\d+ +([0-9.]+) +([0-9.]+)$";

  @TempDir Path folder;

  @Test
  void storesReadsBackComparesAndLeavesNothing() throws Exception {
    Path file = folder.resolve("letter.txt");
    Files.writeString(file, "Dear pool");
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process demo =
        start(temporary, List.of("demo", "letter.txt", "--generate", "6MiB", "--replicas", "2"));
    Result result = FatJar.finish(folder, demo);

    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("sha256 " + sha256(file) + "  letter.txt")
        .contains("put (client)", "get (another client, tcp)", "get (REST of another node)")
        .contains("get (after the drain)", "Drained node-1: ")
        .contains("came back as they were stored");
    assertThat(peakOfTheMastersHeap(result.out())).isBetween(1.0, 256.0);
    assertThat(result.out()).contains("No heap ever held more than ");
    assertThat(nodePids(result.out())).hasSize(3).noneMatch(DemoIT::isAlive);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(path -> path.toString().contains("moonpool-demo"))).isEmpty();
    }
  }

  @Test
  void movesEverythingThroughUcx() throws Exception {
    try {
      UcxLibrary.load();
    } catch (UcxUnavailableException e) {
      Assumptions.abort(e.getMessage());
    }
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process demo =
        start(
            temporary, List.of("demo", "--generate", "24MiB", "--transport", "ucx", "--seed", "3"));
    Result result = FatJar.finish(folder, demo);

    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("get (another client, ucx)", "came back as they were stored", "Drained node-1: ");
  }

  @Test
  void moreThanMemoryHoldsIsReadBackFromDisk() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path disks = Files.createDirectory(folder.resolve("ssd"));
    Process demo =
        start(
            temporary,
            List.of(
                "demo",
                "--generate",
                "160MiB",
                "--nodes",
                "2",
                "--seed",
                "7",
                "--disk-dir",
                disks.toString(),
                "--output",
                "json"));
    Result result = FatJar.finish(folder, demo);

    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    // Programs read stdout; people still see the tables.
    JsonObject report = new JsonObject(result.out());
    assertThat(report.getLong("bytes")).isEqualTo(160L << 20);
    for (String phase : List.of("put", "get", "get_rest", "get_after_drain")) {
      JsonObject figures = report.getJsonObject(phase);
      assertThat(figures.getLong("objects")).isEqualTo(report.getLong("objects"));
      assertThat(figures.getLong("bytes")).isEqualTo(160L << 20);
      assertThat(figures.getDouble("p99_ms")).isGreaterThanOrEqualTo(figures.getDouble("p50_ms"));
    }
    assertThat(report.getJsonObject("drain").getLong("bytes_from_disk")).isPositive();
    String tables = result.err();
    Matcher drained =
        Pattern.compile("Drained node-1: \\d+ .* ([0-9.]+) MB from its memory, ([0-9.]+) MB from")
            .matcher(tables);
    assertThat(drained.find()).as(tables).isTrue();
    assertThat(Double.parseDouble(drained.group(1))).as("MB moved from memory").isPositive();
    assertThat(Double.parseDouble(drained.group(2))).as("MB moved from SSD").isPositive();
    for (String row :
        List.of("stored", "read by the client", "read over REST", "read after the drain")) {
      Matcher read = Pattern.compile("(?m)^" + row + SOURCES).matcher(tables);
      assertThat(read.find()).as(tables).isTrue();
      assertThat(Long.parseLong(read.group(1))).as("objects in memory").isPositive();
      assertThat(Long.parseLong(read.group(2))).as("objects on SSD only").isPositive();
      double fromMemory = Double.parseDouble(read.group(3));
      double fromDisk = Double.parseDouble(read.group(4));
      assertThat(fromMemory).isPositive();
      assertThat(fromDisk).isPositive();
      assertThat(fromMemory + fromDisk).isCloseTo(167.8, within(0.2));
    }
    try (Stream<Path> left = Files.list(disks)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void theProcessesDieWithADemoThatIsKilled() throws Exception {
    Process demo = start(folder, List.of("demo", "--generate", "1MiB", "--nodes", "2", "--keep"));
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> out().contains("until you press Ctrl-C") || !demo.isAlive());
      List<Long> pids = nodePids(out());
      assertThat(pids).hasSize(2).allMatch(DemoIT::isAlive);
      assertThat(out()).contains("curl http://127.0.0.1:", "moonpool client ls --master");

      demo.destroyForcibly().waitFor();

      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(pids).noneMatch(DemoIT::isAlive));
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void sigtermEndsAKeptDemoInOrder() throws Exception {
    Process demo = start(folder, List.of("demo", "--generate", "1MiB", "--nodes", "2", "--keep"));
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> out().contains("until you press Ctrl-C") || !demo.isAlive());
    List<Long> pids = nodePids(out());
    demo.destroy();
    assertThat(FatJar.finish(folder, demo).exitCode()).isZero();
    assertThat(pids).hasSize(2).noneMatch(DemoIT::isAlive);
    Matcher logs = Pattern.compile("The logs of the processes are in (.*)").matcher(out());
    assertThat(logs.find()).as(out()).isTrue();
    assertThat(Path.of(logs.group(1).strip())).isNotEmptyDirectory();
  }

  @Test
  void aMissingFileIsAUsageError() throws Exception {
    Result result = FatJar.run(folder, "demo", "none.bin");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("there is no file none.bin");
  }

  private Process start(Path temporary, List<String> arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>(FatJar.JAVA.withHeap(256));
    command.add(1, "-Djava.io.tmpdir=" + temporary);
    command.addAll(arguments);
    return FatJar.start(folder, Map.of(), command);
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private static double peakOfTheMastersHeap(String out) {
    Matcher row = MASTER_ROW.matcher(out);
    assertThat(row.find()).as(out).isTrue();
    return Double.parseDouble(row.group(1));
  }

  private static List<Long> nodePids(String out) {
    return NODE_ROW.matcher(out).results().map(row -> Long.parseLong(row.group(1))).toList();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static String sha256(Path file) throws Exception {
    return java.util.HexFormat.of()
        .formatHex(
            java.security.MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
