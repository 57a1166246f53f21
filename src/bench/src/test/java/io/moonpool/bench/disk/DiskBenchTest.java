package io.moonpool.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement measures what it says; how fast the machine is, is not tested. */
class DiskBenchTest {
  /** Not the default folder: that may be a tmpfs, which pretends. */
  private static final Path DISK = Path.of("/var/tmp");

  @TempDir Path empty;

  @Test
  void storeAndPlainLoopReadInTurnsAndNothingIsLeftBehind() throws Exception {
    assertThat(ways(false)).containsExactly("store", "store, verified", "plain pread");
    assertThat(ways(false)).hasSize(3);
  }

  @Test
  void fioReadsTheSameFiles() throws Exception {
    assumeTrue(FioReads.version().isPresent(), "fio is not installed");
    assertThat(ways(true)).containsExactly("store", "store, verified", "fio");
  }

  private static List<String> ways(boolean fio) throws Exception {
    List<DiskFigure> figures = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Path folder = Files.createTempDirectory(DISK, "moonpool-disk-bench-test-");
    try {
      new DiskBench(
              new DiskBench.Settings(folder, List.of(8192), 8 << 20, 2, 2, 100, fio), notes::add)
          .run(figures::add);
      try (Stream<Path> left = Files.list(folder)) {
        assertThat(left).isEmpty();
      }
    } finally {
      Files.delete(folder);
    }
    assertThat(notes).singleElement().asString().contains(fio ? "fio" : "plain");
    for (DiskFigure figure : figures) {
      assertThat(figure.valueBytes()).isEqualTo(8192);
      assertThat(figure.readers()).isEqualTo(2);
      assertThat(figure.gigabytesPerSecond()).isPositive();
      assertThat(figure.cpuSecondsPerGigabyte()).isPositive();
      assertThat(figure.lowestRatio()).isLessThanOrEqualTo(figure.ratio());
      assertThat(figure.toJson().getDouble("ratio")).isEqualTo(figure.ratio());
    }
    assertThat(figures.getLast().ratio()).isEqualTo(1);
    return figures.stream().map(DiskFigure::way).toList();
  }

  @Test
  void mediansAndRatiosAreOfRounds() {
    List<ReadTurn> own =
        List.of(new ReadTurn(100, 100, 10), new ReadTurn(300, 100, 90), new ReadTurn(100, 50, 20));
    List<ReadTurn> reference =
        List.of(new ReadTurn(200, 100, 1), new ReadTurn(300, 100, 1), new ReadTurn(800, 100, 1));
    DiskFigure figure = DiskFigure.of("x", 4096, 4, own, reference);
    assertThat(figure.gigabytesPerSecond()).isEqualTo(2);
    assertThat(figure.cpuSecondsPerGigabyte()).isEqualTo(0.2, within(1e-9));
    assertThat(figure.ratio()).isEqualTo(0.5);
    assertThat(figure.lowestRatio()).isEqualTo(0.25);
    assertThat(figure.highestRatio()).isEqualTo(1);
  }

  @Test
  void whatFioReportsIsUnderstood() throws IOException {
    ReadTurn turn =
        FioReads.turn(
            """
            fio: a note in front
            {"jobs": [{"usr_cpu": 1.5, "sys_cpu": 3.5, "job_runtime": 8000,
              "read": {"io_bytes": 4000000, "runtime": 2000}}]}
            """);
    assertThat(turn).isEqualTo(new ReadTurn(4_000_000, 2_000_000_000, 400_000_000));
    assertThatThrownBy(() -> FioReads.turn("{\"jobs\": [{}]}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("this version of fio reports something else");
    assertThatThrownBy(() -> FioReads.turn("no document")).isInstanceOf(IOException.class);
  }

  @Test
  void aDiskThatRefusesSaysWhy() {
    DiskBench bench =
        new DiskBench(
            new DiskBench.Settings(
                empty.resolve("not-there"), List.of(4096), 1 << 20, 1, 1, 10, false),
            note -> {});
    assertThatThrownBy(() -> bench.run(figure -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not-there");
  }
}
