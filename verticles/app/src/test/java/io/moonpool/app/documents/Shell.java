package io.moonpool.app.documents;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A shell that commands are typed into, one after the other, so that a variable or a folder that
 * one sets counts for the next. What the commands print is told apart by a line that the shell
 * prints after each.
 */
final class Shell implements AutoCloseable {
  private final String marker = "end-of-" + UUID.randomUUID();
  private final Process process;
  private final Writer input;
  private final StringBuilder output = new StringBuilder();
  private boolean ended;

  /** How a command ended. */
  record Result(int exitCode, String output) {}

  private Shell(Process process) {
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name("output of a shell").start(this::read);
  }

  /**
   * Starts a shell.
   *
   * @param errors where stderr goes; null: where stdout goes
   */
  static Shell start(Path folder, Map<String, String> environment, Path errors) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "--noprofile", "--norc").directory(folder.toFile());
    if (errors == null) {
      builder.redirectErrorStream(true);
    } else {
      builder.redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    }
    builder.environment().keySet().removeIf(name -> name.startsWith("MOONPOOL_"));
    builder.environment().putAll(environment);
    return new Shell(builder.start());
  }

  private void read() {
    byte[] bytes = new byte[8_192];
    try (InputStream in = process.getInputStream()) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        append(new String(bytes, 0, read, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      append("(the output broke off: " + e + ")");
    }
    synchronized (output) {
      ended = true;
      output.notifyAll();
    }
  }

  private void append(String text) {
    synchronized (output) {
      output.append(text);
      output.notifyAll();
    }
  }

  /** Runs a command to its end. */
  Result run(String command, long limitSeconds) throws IOException, InterruptedException {
    type(command);
    return awaitEnd(command, limitSeconds);
  }

  /** Types a command and returns. */
  void type(String command) throws IOException {
    synchronized (output) {
      output.setLength(0);
    }
    // No command gets what is typed after it.
    input.write("{ " + command + "\n} </dev/null; echo \"" + marker + " $?\"\n");
    input.flush();
  }

  /** Waits for the end of the command that was typed last. */
  Result awaitEnd(String command, long limitSeconds) throws InterruptedException {
    String text = await(command, marker + " ", limitSeconds);
    int at = text.indexOf(marker);
    return new Result(
        Integer.parseInt(text.substring(at + marker.length()).strip()), text.substring(0, at));
  }

  /** Waits until the command that was typed last has printed a line that starts so. */
  String awaitLine(String command, String start, long limitSeconds) throws InterruptedException {
    return await(command, start, limitSeconds);
  }

  private String await(String command, String start, long limitSeconds)
      throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    synchronized (output) {
      while (true) {
        int at = output.indexOf(start);
        if (at >= 0 && output.indexOf("\n", at) >= 0) {
          return output.toString();
        }
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (ended || leftMillis <= 0 || output.indexOf(marker) >= 0) {
          throw new AssertionError(
              "'" + command + "' has not printed '" + start + "', only:\n" + output);
        }
        output.wait(leftMillis);
      }
    }
  }

  /** The processes that it started and that still run. */
  List<ProcessHandle> children() {
    return process.descendants().toList();
  }

  /** Kills what it started, and itself. */
  @Override
  public void close() {
    children().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      input.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
