package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.storage.file.PosixFileLayer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed in the midst of its work, again and again, and nothing is lost or wrong. */
class KilledProcessTest {
  private static final int ROUNDS = 6;

  @TempDir Path temporary;
  private final Set<Long> there = new HashSet<>();
  private final Set<Long> gone = new HashSet<>();
  private final Set<Long> doubtful = new HashSet<>();
  private long greatest;
  private long verified;

  @Test
  void whatWasAcknowledgedIsThereAfterwards() throws Exception {
    Random random = new Random(5);
    for (int round = 0; round < ROUNDS; round++) {
      runAndKill(5 + random.nextInt(60));
      try (Disk disk = Disk.open(new PosixFileLayer(), temporary, Disk.OPTIONS)) {
        check(disk, "round " + round);
      }
    }
    assertThat(verified).as("objects read back").isGreaterThan(100);
    assertThat(gone).isNotEmpty();
  }

  private void runAndKill(int lines) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                StoringProcess.class.getName(),
                temporary.toString(),
                Long.toString(greatest + 1))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output = process.inputReader()) {
      for (int i = 0; i < lines; i++) {
        String line = output.readLine();
        assertThat(line).as("the process goes on until it is killed").isNotNull();
        note(line);
      }
      process.toHandle().destroyForcibly(); // leaves its output readable
      // What it had said before it died counts as well.
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        note(line);
      }
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private void note(String line) {
    String[] words = line.split(" ");
    Set<Long> fate =
        switch (words[0]) {
          case "stored" -> there;
          case "dead" -> gone;
          case "doubtful" -> doubtful;
          default -> null; // a line of a log
        };
    for (int i = 1; i < words.length && fate != null; i++) {
      long version = Long.parseLong(words[i]);
      there.remove(version);
      gone.remove(version);
      doubtful.remove(version);
      fate.add(version);
      greatest = Math.max(greatest, version);
    }
  }

  private void check(Disk disk, String when) {
    assertThat(disk.store.recovered().damaged()).as(when).isEmpty();
    for (long version : there) {
      assertThat(disk.store.length(version))
          .as("%s, version %s", when, version)
          .isEqualTo(StoringProcess.length(version));
      assertThat(disk.read(version).ok()).as("%s, version %s", when, version).isTrue();
      verified++;
    }
    for (long version : gone) {
      assertThat(disk.store.contains(version)).as("%s, version %s", when, version).isFalse();
    }
    // What was in flight may be either, but is right if it is there. It is settled from now on.
    for (ObjectRecord record : disk.store.scan().next(Integer.MAX_VALUE)) {
      assertThat(disk.read(record.version()).ok()).as("%s, %s", when, record).isTrue();
      greatest = Math.max(greatest, record.version());
    }
    for (long version : doubtful) {
      (disk.store.contains(version) ? there : gone).add(version);
    }
    doubtful.clear();
    assertThat(disk.damages).isEmpty();
  }
}
