package io.moonpool.bench.latency;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Puts and gets of one client, one at a time, against a running cluster, and the same against a
 * Redis server. Every row has a warm-up of a quarter of its count before it.
 *
 * <p>Two ways of waiting are timed: a plain thread that blocks until each future completes, and an
 * application on the event loop that starts the next operation when the last one completed.
 */
public final class LatencyBench {
  private static final long HIGHEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Settings settings;
  private final Consumer<LatencyRow> rows;
  private final String prefix = "bench/latency/" + System.nanoTime() + "/";
  private int nextKey;

  /**
   * What to measure.
   *
   * @param client how to reach the cluster; the location cache setting is made by the bench itself
   * @param bytes sizes of values
   * @param totalBytes how many bytes each row moves at most; with {@code maxCount} this gives its
   *     count
   * @param redis whether to measure Redis as well
   */
  public record Settings(
      ClientOptions client, List<Integer> bytes, long totalBytes, int maxCount, boolean redis) {}

  private LatencyBench(Settings settings, Consumer<LatencyRow> rows) {
    this.settings = settings;
    this.rows = rows;
  }

  /**
   * Runs all rows; blocks the calling thread for as long as that takes.
   *
   * @param rows told of each row when it is done
   */
  public static void run(Vertx vertx, Settings settings, Consumer<LatencyRow> rows)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    LatencyBench bench = new LatencyBench(settings, rows);
    MoonpoolClient plain =
        await(MoonpoolClient.connect(vertx, settings.client.but().locationCacheEntries(0).build()));
    MoonpoolClient cached =
        await(
            MoonpoolClient.connect(
                vertx, settings.client.but().locationCacheEntries(10_000).build()));
    try {
      for (int bytes : settings.bytes) {
        bench.moonpool(vertx, plain, cached, bytes);
      }
      if (settings.redis) {
        bench.redis();
      }
    } finally {
      await(plain.close());
      await(cached.close());
    }
  }

  private int count(int bytes) {
    return (int) Math.max(100, Math.min(settings.maxCount, settings.totalBytes / bytes));
  }

  private void moonpool(Vertx vertx, MoonpoolClient plain, MoonpoolClient cached, int bytes)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    int count = count(bytes);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment value = arena.allocate(bytes, 4_096);
      SplittableRandom random = new SplittableRandom(bytes);
      for (long i = 0; i < bytes; i++) {
        value.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
      }
      MemorySegment target = arena.allocate(bytes, 4_096);

      List<String> written = new ArrayList<>();
      row(
          "put, blocking thread",
          bytes,
          count,
          () -> await(plain.putFrom(newKey(written), value)),
          () -> removeAll(plain, written));
      row(
          "put, event loop",
          bytes,
          count,
          (times, histogram) ->
              await(chain(vertx, times, histogram, () -> plain.putFrom(newKey(written), value))),
          () -> removeAll(plain, written));

      String key = newKey(new ArrayList<>());
      await(plain.putFrom(key, value));
      row("get, blocking thread", bytes, count, () -> await(plain.getInto(key, target)), () -> {});
      row(
          "get, event loop",
          bytes,
          count,
          (times, histogram) ->
              await(chain(vertx, times, histogram, () -> plain.getInto(key, target))),
          () -> {});
      row(
          "get, leased location, blocking thread",
          bytes,
          count,
          () -> await(cached.getInto(key, target)),
          () -> {});
      row(
          "get, leased location, event loop",
          bytes,
          count,
          (times, histogram) ->
              await(chain(vertx, times, histogram, () -> cached.getInto(key, target))),
          () -> {});
      if (value.mismatch(target) >= 0) {
        throw new IllegalStateException("read back other bytes than were written");
      }
      await(plain.remove(key, true));
    }
  }

  private String newKey(List<String> written) {
    String key = prefix + nextKey++;
    written.add(key);
    return key;
  }

  private static void removeAll(MoonpoolClient client, List<String> written)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!written.isEmpty()) {
      await(client.removeBatch(written, true));
      written.clear();
    }
  }

  private void redis()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Optional<RedisReference> started = RedisReference.start();
    if (started.isEmpty()) {
      return;
    }
    try (RedisReference redis = started.get()) {
      for (int bytes : settings.bytes) {
        int count = count(bytes);
        byte[] key = "moonpool-bench".getBytes(StandardCharsets.US_ASCII);
        byte[] value = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(value);
        byte[] target = new byte[bytes];
        row("Redis SET, blocking thread", bytes, count, () -> redis.set(key, value), () -> {});
        row("Redis GET, blocking thread", bytes, count, () -> redis.get(key, target), () -> {});
      }
    }
  }

  /** One operation, start to end. */
  private interface Step {
    void run() throws IOException, InterruptedException, ExecutionException, TimeoutException;
  }

  /** Many operations that time themselves. */
  private interface TimedSteps {
    void run(int times, Histogram histogram)
        throws IOException, InterruptedException, ExecutionException, TimeoutException;
  }

  private void row(String operation, int bytes, int count, Step step, Step cleanUp)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    row(
        operation,
        bytes,
        count,
        (times, histogram) -> {
          for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            step.run();
            histogram.recordValue(System.nanoTime() - start);
          }
        },
        cleanUp);
  }

  /** Times in portions of at most 128 MiB, so that what a row writes never fills the cluster. */
  private void row(String operation, int bytes, int count, TimedSteps steps, Step cleanUp)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    int portion = Math.max(1, (128 << 20) / bytes);
    Histogram warmUp = new Histogram(HIGHEST_NANOS, 3);
    Histogram histogram = new Histogram(HIGHEST_NANOS, 3);
    for (int todo = Math.max(1, count / 4); todo > 0; todo -= portion) {
      steps.run(Math.min(portion, todo), warmUp);
      cleanUp.run();
    }
    for (int todo = count; todo > 0; todo -= portion) {
      steps.run(Math.min(portion, todo), histogram);
      cleanUp.run();
    }
    rows.accept(LatencyRow.of(operation, bytes, histogram));
  }

  /** Runs the operation so many times on one event loop, each when the last one completed. */
  private static Future<Void> chain(
      Vertx vertx, int times, Histogram histogram, Supplier<? extends Future<?>> operation) {
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(start -> link(vertx, times, histogram, operation, done));
    return done.future();
  }

  private static void link(
      Vertx vertx,
      int left,
      Histogram histogram,
      Supplier<? extends Future<?>> operation,
      Promise<Void> done) {
    if (left == 0) {
      done.complete();
      return;
    }
    long start = System.nanoTime();
    operation
        .get()
        .onComplete(
            ended -> {
              histogram.recordValue(System.nanoTime() - start);
              if (ended.failed()) {
                done.fail(ended.cause());
              } else {
                vertx.runOnContext(next -> link(vertx, left - 1, histogram, operation, done));
              }
            });
  }

  private static <T> T await(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
