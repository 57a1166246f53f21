package io.moonpool.transfer;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A second process with this one's Java, flags and class path. */
final class ChildJvm implements AutoCloseable {
  private final Process process;

  private ChildJvm(Process process) {
    this.process = process;
  }

  /** Starts the main method of a class; what it writes to stderr is this process's. */
  static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-agent") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** What it writes to stdout. */
  BufferedReader output() {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /** Kills it as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly();
  }

  /** Sends a signal; when it is STOP, returns when no thread of the process runs any more. */
  void signal(String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new AssertionError("kill -" + name + " failed");
    }
    if (name.equals("STOP")) {
      // The signal is taken by one thread, when it gets a processor; the others go on until then.
      await().until(this::isStopped);
    }
  }

  private boolean isStopped() throws IOException {
    try (Stream<Path> threads =
        Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        // The name of the thread is in parentheses, and may have some of its own.
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void close() throws Exception {
    kill();
    process.waitFor(10, TimeUnit.SECONDS);
  }
}
