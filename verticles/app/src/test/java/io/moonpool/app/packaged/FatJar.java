package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.cluster.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the packaged application as the launcher does. */
public final class FatJar {
  public static final Path ROOT = Path.of(System.getProperty("moonpool.root"));
  public static final Path JAR = ROOT.resolve("verticles/app/target/moonpool-all.jar");

  /**
   * How it is run. The optimising compiler is left out: these processes live for seconds, and it
   * would take more from them than it gives.
   */
  public static final JavaCommand JAVA =
      JavaCommand.ofJar(JAR, ROOT.resolve("conf/jvm.options")).with("-XX:TieredStopAtLevel=1");

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private FatJar() {}

  /** How a process ended. */
  record Result(int exitCode, String out, String err) {}

  /** Runs a command line to its end. */
  static Result run(Path folder, String... arguments) throws IOException, InterruptedException {
    return run(folder, Map.of(), arguments);
  }

  /** Runs a command line to its end. */
  static Result run(Path folder, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return finish(folder, start(folder, environment, arguments));
  }

  /** Starts a command line; its output goes to files in the folder. */
  static Process start(Path folder, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(JAVA.withHeap(256));
    command.addAll(List.of(arguments));
    return start(folder, environment, command);
  }

  static Process start(Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("MOONPOOL_"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  static Result finish(Path folder, Process process) throws IOException, InterruptedException {
    try {
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("ends within %s", LIMIT)
          .isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Result(
        process.exitValue(),
        Files.readString(folder.resolve("out")),
        Files.readString(folder.resolve("err")));
  }
}
