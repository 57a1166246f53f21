package io.moonpool.core.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Runs the races of {@link LivenessStress} under jcstress, in a process of its own, which starts
 * one for each race and each way to compile it.
 */
@Timeout(240)
class LivenessStressTest {
  private static final int LIMIT_SECONDS = 200;

  /** A race that is lost, to see that this test would notice. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both count")
  @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
  @State
  public static class PlantedRace {
    private int count;

    @Actor
    public void first() {
      count++;
    }

    @Actor
    public void second() {
      count++;
    }

    @Arbiter
    public void after(I_Result result) {
      result.r1 = count;
    }
  }

  @TempDir Path folder;

  @Test
  void noRaceHasAForbiddenOutcome() throws IOException, InterruptedException {
    assertThat(run("LivenessStress\\.", "200"))
        .contains("Failed tests: No matches.", "Error tests: No matches.")
        .contains("All remaining tests: 4 matching test results.");
  }

  @Test
  void aForbiddenOutcomeIsFound() throws IOException, InterruptedException {
    assertThat(run("PlantedRace", "50"))
        .contains("PlantedRace", "one is lost")
        .doesNotContain("Failed tests: No matches.");
  }

  private String run(String races, String millis) throws IOException, InterruptedException {
    Path log = folder.resolve("jcstress.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-t", races, "-r", folder.toString()));
    // All actors are compiled alike, and no core is reserved: the machine may have few.
    command.addAll(List.of("-sc", "false", "-af", "NONE"));
    command.addAll(List.of("-f", "1", "-fsm", "1", "-iters", "2", "-time", millis));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(log);
  }
}
