package io.moonpool.app.container;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process in namespaces of its own, as an engine starts one of this image: the image's files
 * read-only, a small /tmp from which nothing may be run, a volume for data, the image's user
 * without privileges, process number one. Network and host name are those of the machine. Wants
 * root.
 */
final class Container implements AutoCloseable {
  private static final String UID = "10001";

  /** Arguments: root file system, volume, then what to run. */
  private static final String SCRIPT =
      """
      set -eu
      root=$1 data=$2
      shift 2
      mount --bind "$root" "$root"
      mount -o remount,bind,ro "$root"
      mount -t proc proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount -t tmpfs -o mode=1777,noexec,nosuid,nodev,size=16m tmpfs "$root/tmp"
      mount --bind "$data" "$root/var/lib/moonpool"
      exec setpriv --no-new-privs chroot --userspec=%1$s:%1$s --groups= "$root" "$@"
      """
          .formatted(UID);

  private static final List<String> NAMESPACES =
      List.of("unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child");

  private final ImageLayout image;
  private final Process process;
  private final Path log;
  private final CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();

  private Container(ImageLayout image, Process process, Path log) {
    this.image = image;
    this.process = process;
    this.log = log;
  }

  /** Whether this machine lets this process do that; else why not. */
  static String hindrance() throws InterruptedException {
    if (!System.getProperty("user.name").equals("root")) {
      return "only root may start a container here";
    }
    try {
      List<String> command = new ArrayList<>(NAMESPACES);
      command.addAll(
          List.of("sh", "-c", "mount -t tmpfs tmpfs /mnt && command -v setpriv nsenter"));
      Process probe = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return probe.waitFor() == 0 ? "" : "no container can be started here: " + said.strip();
    } catch (IOException e) {
      return "no container can be started here: " + e.getMessage();
    }
  }

  /**
   * Starts one.
   *
   * @param root the image's files
   * @param volume what is kept of it; belongs to the image's user
   * @param log gets what it writes to stderr
   * @param environment in addition to the image's
   * @param arguments of the image's entry point
   */
  static Container start(
      ImageLayout image,
      Path root,
      Path volume,
      Path log,
      Map<String, String> environment,
      List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(NAMESPACES);
    command.addAll(List.of("bash", "-c", SCRIPT, "container", root.toString(), volume.toString()));
    command.addAll(inside(image, environment));
    image.settings().getJsonArray("Entrypoint").forEach(word -> command.add(word.toString()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    Container container = new Container(image, process, log);
    Thread.ofPlatform().daemon().name("output of " + log).start(container::readOutput);
    return container;
  }

  private static List<String> inside(ImageLayout image, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(image.environment());
    environment.putAll(more);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("env", "-i", "-C", image.settings().getString("WorkingDir")));
    environment.forEach((name, value) -> command.add(name + "=" + value));
    return command;
  }

  private void readOutput() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("READY ")) {
          Map<String, String> values = new HashMap<>();
          for (String word : line.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
              values.put(word.substring(0, equals), word.substring(equals + 1));
            }
          }
          ready.complete(values);
        }
      }
      ready.completeExceptionally(
          new IOException("it ended before it was ready:\n" + Files.readString(log)));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  /** Waits until it serves; what its line says. */
  Map<String, String> awaitReady(Duration limit) throws Exception {
    return ready.get(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** How a command in it ended. */
  record Result(int exitCode, String out, String err) {}

  /** Runs one more command in it, as {@code docker exec} does. */
  Result execute(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.addAll(
        List.of("nsenter", "-t", String.valueOf(first().pid()), "-m", "-p", "-i", "-r", "-w"));
    line.addAll(List.of("-S", UID, "-G", UID));
    line.addAll(inside(image, environment));
    line.addAll(List.of(command));
    Path out = log.resolveSibling(log.getFileName() + ".out");
    Path err = log.resolveSibling(log.getFileName() + ".err");
    Process process =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    int code = process.waitFor();
    return new Result(code, Files.readString(out), Files.readString(err));
  }

  /** Its process number one, as this machine sees it. It is there a moment after the start. */
  private ProcessHandle first() {
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> process.toHandle().children().findFirst(),
            found -> found.isPresent() || !process.isAlive())
        .orElseThrow();
  }

  /** What is written in a file of {@code /proc} about its first process. */
  String status() throws IOException {
    return Files.readString(Path.of("/proc", String.valueOf(first().pid()), "status"));
  }

  /** Sends SIGTERM to its first process and waits for the end; its exit code. */
  int stop(Duration limit) throws InterruptedException {
    first().destroy();
    return awaitEnd(limit);
  }

  /** Waits for its end; its exit code. */
  int awaitEnd(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("it does not end within " + limit);
    }
    return process.exitValue();
  }

  /** What it wrote to stderr. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Kills it, when it still runs, and all that is in it. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
