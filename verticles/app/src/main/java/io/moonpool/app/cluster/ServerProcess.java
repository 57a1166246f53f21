package io.moonpool.app.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A master or a node in a process of its own. It stops when its stdin ends, so it dies with its
 * parent however the parent dies.
 */
public final class ServerProcess implements AutoCloseable {
  private static final String READY = "READY ";
  private static final int TAIL_LINES = 20;

  /** Lines that are kept for {@link #ask}; others that nobody asked for are dropped. */
  private static final int ANSWERS = 16;

  private static final Duration KILL_LIMIT = Duration.ofSeconds(5);

  private final String name;
  private final Process process;
  private final Path log;
  private final CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();
  private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(ANSWERS);

  private ServerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a process and does not wait for it.
   *
   * @param java how to run this application
   * @param role the command: {@code master} or {@code node}
   * @param name what to call its files and messages
   * @param folder gets its configuration file, its log and what it writes
   * @param settings its configuration; nothing else counts, neither environment nor {@code conf/}
   * @param heapMegabytes its largest heap
   */
  public static ServerProcess start(
      JavaCommand java,
      String role,
      String name,
      Path folder,
      Map<String, String> settings,
      int heapMegabytes)
      throws IOException {
    return start(java, List.of(role), name, folder, settings, heapMegabytes, Log.FILE);
  }

  /** What becomes of the log of a process. */
  public enum Log {
    /** It goes to a file in its folder. */
    FILE,
    /** Nobody reads it: the pipe fills up and stays full. */
    UNREAD
  }

  /**
   * As {@link #start(JavaCommand, String, String, Path, Map, int)}.
   *
   * @param command the command, which must take {@code --config} and {@code --stop-on-eof}, and
   *     arguments of its own
   * @param keep what becomes of its log
   */
  public static ServerProcess start(
      JavaCommand java,
      List<String> command,
      String name,
      Path folder,
      Map<String, String> settings,
      int heapMegabytes,
      Log keep)
      throws IOException {
    Files.createDirectories(folder);
    Path config = folder.resolve(name + ".yaml");
    StringBuilder yaml = new StringBuilder();
    settings.forEach(
        (key, value) -> yaml.append(key).append(": ").append(quote(value)).append('\n'));
    Files.writeString(config, yaml);
    Path log = folder.resolve(name + ".log");

    List<String> line = new ArrayList<>(java.withHeap(heapMegabytes));
    line.addAll(command);
    line.addAll(List.of("--config", config.toString(), "--stop-on-eof"));
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    if (keep == Log.FILE) {
      builder.redirectError(log.toFile());
    }
    builder.environment().keySet().removeIf(variable -> variable.startsWith("MOONPOOL_"));
    ServerProcess server = new ServerProcess(name, builder.start(), log);
    Thread.ofPlatform().daemon().name("output of " + name).start(server::readOutput);
    return server;
  }

  private static String quote(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  private void readOutput() {
    try (BufferedReader lines =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(READY)) {
          ready.complete(values(line));
        } else if (!answers.offer(line)) {
          // Nobody asks any more.
          answers.clear();
        }
      }
    } catch (IOException e) {
      ready.completeExceptionally(e);
      return;
    }
    ready.completeExceptionally(new IOException("it ended before it was ready"));
  }

  /** The {@code name=value} words of a line. */
  private static Map<String, String> values(String line) {
    Map<String, String> values = new HashMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return values;
  }

  /**
   * Waits until it serves.
   *
   * @return what it said about itself: {@code id}, {@code pid}, and its ports by interface
   * @throws IOException when it ends first or takes too long; the message holds the end of its log
   */
  public Map<String, String> awaitReady(Duration limit) throws IOException, InterruptedException {
    try {
      return ready.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (java.util.concurrent.ExecutionException | CompletionException e) {
      throw new IOException(name + " does not start: its log ends with\n" + tail(), e);
    } catch (TimeoutException e) {
      throw new IOException(
          name + " was not ready within " + limit.toSeconds() + " s: its log ends with\n" + tail(),
          e);
    }
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()))
          .indent(2);
    } catch (IOException e) {
      return "  (" + log + " cannot be read: " + e.getMessage() + ")";
    }
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** The file that its log goes to. */
  public Path log() {
    return log;
  }

  /** The process itself, for callers that wait for its end or kill it. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Sends it a line on its stdin, which most take no notice of. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /**
   * Sends it a line on its stdin and waits for one on its stdout. One thread at a time.
   *
   * @throws IOException when none comes in time
   */
  public String ask(String line, Duration limit) throws IOException, InterruptedException {
    answers.clear();
    tell(line);
    String answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (answer == null) {
      throw new IOException(name + " did not answer '" + line + "' within " + limit);
    }
    return answer;
  }

  /** Asks it to stop and returns at once. */
  public void requestStop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It is gone already; closing says no more than that.
    }
  }

  /**
   * Waits for its end after {@link #requestStop}, and kills it when that takes too long.
   *
   * @return its exit code
   */
  public int awaitStopped(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      if (!process.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new UncheckedIOException(new IOException(name + " cannot be killed"));
      }
    }
    return process.exitValue();
  }

  /** Kills it when it still runs. Does not wait. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
