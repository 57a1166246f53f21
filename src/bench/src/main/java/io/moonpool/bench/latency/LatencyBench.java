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
 * Redis server.
 *
 * <p>All rows warm up together before the first is measured, or the first would pay for the
 * compiler's work on what they share, in three processes. Then they take turns, so that what else
 * happens on the machine hits all of them.
 *
 * <p>Two ways of waiting are timed: a plain thread that blocks until each future completes, and an
 * application on the event loop that starts the next operation when the last one completed.
 */
public final class LatencyBench {
  private static final long HIGHEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Turns of each row before any is measured; together they run as often as is measured. */
  private static final int WARM_UP_TURNS = 4;

  /** Turns in which each row is measured. */
  private static final int TURNS = 8;

  private final Settings settings;
  private final List<Row> rows = new ArrayList<>();
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

  private LatencyBench(Settings settings) {
    this.settings = settings;
  }

  /**
   * Runs all rows; blocks the calling thread for as long as that takes.
   *
   * @param results told of each row when all are done
   */
  public static void run(Vertx vertx, Settings settings, Consumer<LatencyRow> results)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    LatencyBench bench = new LatencyBench(settings);
    Optional<RedisReference> redis = settings.redis ? RedisReference.start() : Optional.empty();
    MoonpoolClient plain =
        await(MoonpoolClient.connect(vertx, settings.client.but().locationCacheEntries(0).build()));
    MoonpoolClient cached =
        await(
            MoonpoolClient.connect(
                vertx, settings.client.but().locationCacheEntries(10_000).build()));
    try (Arena arena = Arena.ofShared()) {
      for (int bytes : settings.bytes) {
        MemorySegment value = arena.allocate(bytes, 4_096);
        SplittableRandom random = new SplittableRandom(bytes);
        for (long i = 0; i < bytes; i++) {
          value.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        bench.moonpool(vertx, plain, cached, value, arena.allocate(bytes, 4_096));
        if (redis.isPresent()) {
          bench.redis(redis.get(), bytes);
        }
      }
      bench.takeTurns();
      for (Row row : bench.rows) {
        results.accept(LatencyRow.of(row.operation, row.bytes, row.measured));
      }
    } finally {
      await(plain.close());
      await(cached.close());
      if (redis.isPresent()) {
        redis.get().close();
      }
    }
  }

  private void takeTurns()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      for (Row row : rows) {
        row.run(row.count / WARM_UP_TURNS, new Histogram(HIGHEST_NANOS, 3));
      }
    }
    for (int turn = 0; turn < TURNS; turn++) {
      for (Row row : rows) {
        row.run(Math.max(1, row.count / TURNS), row.measured);
      }
    }
  }

  private int count(int bytes) {
    return (int) Math.max(100, Math.min(settings.maxCount, settings.totalBytes / bytes));
  }

  private void moonpool(
      Vertx vertx,
      MoonpoolClient plain,
      MoonpoolClient cached,
      MemorySegment value,
      MemorySegment target)
      throws InterruptedException, ExecutionException, TimeoutException {
    int bytes = Math.toIntExact(value.byteSize());
    List<String> written = new ArrayList<>();
    Step remove = () -> removeAll(plain, written);
    blocking(
        "put, blocking thread", bytes, () -> await(plain.putFrom(newKey(written), value)), remove);
    onLoop(vertx, "put, event loop", bytes, () -> plain.putFrom(newKey(written), value), remove);

    String key = newKey(new ArrayList<>());
    await(plain.putFrom(key, value));
    Step compare =
        () -> {
          if (value.mismatch(target) >= 0) {
            throw new IllegalStateException("read back other bytes than were written");
          }
          target.fill((byte) 0);
        };
    blocking("get, blocking thread", bytes, () -> await(plain.getInto(key, target)), compare);
    onLoop(vertx, "get, event loop", bytes, () -> plain.getInto(key, target), compare);
    blocking(
        "get, leased location, blocking thread",
        bytes,
        () -> await(cached.getInto(key, target)),
        compare);
    onLoop(
        vertx,
        "get, leased location, event loop",
        bytes,
        () -> cached.getInto(key, target),
        compare);
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

  private void redis(RedisReference redis, int bytes) {
    byte[] key = ("moonpool-bench-" + bytes).getBytes(StandardCharsets.US_ASCII);
    byte[] value = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(value);
    byte[] target = new byte[bytes];
    blocking("Redis SET, blocking thread", bytes, () -> redis.set(key, value), () -> {});
    blocking("Redis GET, blocking thread", bytes, () -> redis.get(key, target), () -> {});
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

  /** One row of the result under way. */
  private record Row(
      String operation,
      int bytes,
      int count,
      TimedSteps steps,
      Step afterwards,
      Histogram measured) {

    /** Runs in portions of at most 128 MiB, so that what a row writes never fills the cluster. */
    void run(int times, Histogram histogram)
        throws IOException, InterruptedException, ExecutionException, TimeoutException {
      int portion = Math.max(1, (128 << 20) / bytes);
      for (int todo = times; todo > 0; todo -= portion) {
        steps.run(Math.min(portion, todo), histogram);
        afterwards.run();
      }
    }
  }

  private void blocking(String operation, int bytes, Step step, Step afterwards) {
    add(
        operation,
        bytes,
        (times, histogram) -> {
          for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            step.run();
            histogram.recordValue(System.nanoTime() - start);
          }
        },
        afterwards);
  }

  private void onLoop(
      Vertx vertx,
      String operation,
      int bytes,
      Supplier<? extends Future<?>> step,
      Step afterwards) {
    add(
        operation,
        bytes,
        (times, histogram) -> await(chain(vertx, times, histogram, step)),
        afterwards);
  }

  private void add(String operation, int bytes, TimedSteps steps, Step afterwards) {
    rows.add(
        new Row(
            operation, bytes, count(bytes), steps, afterwards, new Histogram(HIGHEST_NANOS, 3)));
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
