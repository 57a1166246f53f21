package io.moonpool.app.command.bench;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.FigureOutput;
import io.moonpool.bench.history.History;
import io.moonpool.bench.history.HistoryLoad;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code moonpool bench history}. */
@Command(
    name = "history",
    description = {
      "Random puts, upserts, gets and removals of few keys from several clients, while one node is"
          + " killed and another stopped for a while; then check that the history of every key is"
          + " linearizable.",
      "Exits with 1 when it is not. The check itself is checked with a planted stale read."
    })
final class HistoryCommand implements Callable<Integer> {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 512L << 20;
  private static final long WARM_UP_SECONDS = 10;
  private static final String LONG_HANDLERS = "moonpool_loop_long_handlers_total";

  @Mixin private FigureOutput output = new FigureOutput();

  @Option(names = "--seconds", defaultValue = "120", description = "How long. Default: 120.")
  private long seconds;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Operations a second of all clients together. Default: 1000.")
  private int rate;

  @Option(names = "--clients", defaultValue = "8", description = "How many. Default: 8.")
  private int clients;

  @Option(names = "--keys", defaultValue = "24", description = "How many keys. Default: 24.")
  private int keys;

  @Option(
      names = "--replicas",
      defaultValue = "2",
      description = "How many copies of each object. Default: 2.")
  private int replicas;

  @Option(
      names = "--stop-seconds",
      defaultValue = "15",
      description = "How long a node is stopped; 0 for not at all. Default: 15.")
  private long stopSeconds;

  @Option(
      names = "--kill",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Kill a node in the middle. Default: yes.")
  private boolean kill;

  @Option(names = "--seed", defaultValue = "1", description = "Of the operations. Default: 1.")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return BenchCluster.load(NODES, NODE_BYTES, this::run).number();
  }

  private ExitCode run(Vertx vertx, LocalCluster cluster)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    PrintWriter out = output.text();
    warmUp(vertx, cluster, out);
    double longBefore = longHandlers(cluster);
    History history = record(vertx, cluster, out);
    double longDuring = longHandlers(cluster) - longBefore;
    history.outcomes().forEach((outcome, times) -> out.printf("  %-40s %,9d%n", outcome, times));
    out.printf("%.0f handlers of the master took more than 10 ms of CPU time%n", longDuring);
    ExitCode verdict = verdict(history, longDuring, out);
    out.flush();
    return verdict;
  }

  /** The same load on other keys, unrecorded, so that the compiler's work is not measured. */
  private void warmUp(Vertx vertx, LocalCluster cluster, PrintWriter out)
      throws InterruptedException, ExecutionException, TimeoutException {
    out.printf("warming up for %d s%n", WARM_UP_SECONDS);
    out.flush();
    load(vertx, cluster, WARM_UP_SECONDS, "warm-up/").get(WARM_UP_SECONDS + 60, TimeUnit.SECONDS);
  }

  private History record(Vertx vertx, LocalCluster cluster, PrintWriter out)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<History> load = load(vertx, cluster, seconds, "history/");
    out.printf(
        "%d clients, %d operations a second for %d s on %d keys, %d replicas%n",
        clients, rate, seconds, keys, replicas);
    out.flush();
    trouble(cluster, out);
    return load.get(seconds + 120, TimeUnit.SECONDS);
  }

  private CompletableFuture<History> load(
      Vertx vertx, LocalCluster cluster, long loadSeconds, String keyPrefix)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Future<MoonpoolClient>> connecting = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      connecting.add(
          MoonpoolClient.connect(
              vertx,
              ClientOptions.of(cluster.host(), cluster.masterPort())
                  .but()
                  .name("history-" + i)
                  .locationCacheEntries(0)
                  .build()));
    }
    List<MoonpoolClient> connected = await(Future.all(connecting), 30).list();
    HistoryLoad.Settings settings =
        new HistoryLoad.Settings(
            rate, loadSeconds, keys, WriteOptions.replicas(replicas), keyPrefix, seed);
    return HistoryLoad.run(vertx, connected, settings)
        .eventually(() -> Future.join(connected.stream().map(MoonpoolClient::close).toList()))
        .toCompletionStage()
        .toCompletableFuture();
  }

  /**
   * Kills the first node after a quarter of the time, and stops the second one after two fifths.
   */
  private void trouble(LocalCluster cluster, PrintWriter out) throws InterruptedException {
    long start = System.nanoTime();
    if (kill) {
      waitUntil(start, seconds * 1_000 / 4);
      cluster.nodes().get(0).process().handle().destroyForcibly();
      say(out, start, "killed " + cluster.nodes().get(0).process().name());
    }
    if (stopSeconds > 0) {
      waitUntil(start, seconds * 1_000 * 2 / 5);
      signal(cluster.nodes().get(1).process().pid(), "STOP");
      say(out, start, "stopped " + cluster.nodes().get(1).process().name());
      waitUntil(start, seconds * 1_000 * 2 / 5 + stopSeconds * 1_000);
      signal(cluster.nodes().get(1).process().pid(), "CONT");
      say(out, start, "continued " + cluster.nodes().get(1).process().name());
    }
  }

  private static void say(PrintWriter out, long startNanos, String what) {
    out.printf("  %5.1f s: %s%n", (System.nanoTime() - startNanos) / 1e9, what);
    out.flush();
  }

  private static void waitUntil(long startNanos, long millis) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(startNanos + millis * 1_000_000 - System.nanoTime());
  }

  private static void signal(long pid, String name) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot run kill: " + e.getMessage());
    }
  }

  /** How many handlers held one of the master's event loops for more than 10 ms of CPU time. */
  private static double longHandlers(LocalCluster cluster)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(cluster.masterUrl() + "/metrics")).build();
      return http.send(request, HttpResponse.BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith(LONG_HANDLERS))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }

  private ExitCode verdict(History history, double longHandlers, PrintWriter out) {
    out.printf("%,d operations recorded; checking%n", history.size());
    out.flush();
    List<String> violations = history.violations();
    violations.forEach(violation -> out.println("VIOLATION " + violation));
    Optional<History> planted = history.withPlantedStaleRead();
    boolean caught = planted.isPresent() && !planted.get().violations().isEmpty();
    out.println(
        violations.isEmpty()
            ? "linearizable: no violation on any key"
            : violations.size() + " violations");
    out.println(
        caught
            ? "a planted stale read is caught"
            : "FAILED: a planted stale read is not caught, so the check proves nothing");
    out.flush();
    JsonObject outcomes = new JsonObject();
    history.outcomes().forEach(outcomes::put);
    output.write(
        new JsonObject()
            .put("operations", history.size())
            .put("outcomes", outcomes)
            .put("long_handlers", Math.round(longHandlers))
            .put("violations", new JsonArray(violations))
            .put("planted_stale_read_caught", caught));
    return violations.isEmpty() && caught ? ExitCode.OK : ExitCode.FAILED;
  }

  private static <T> T await(Future<T> future, long limitSeconds)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.toCompletionStage().toCompletableFuture().get(limitSeconds, TimeUnit.SECONDS);
  }
}
