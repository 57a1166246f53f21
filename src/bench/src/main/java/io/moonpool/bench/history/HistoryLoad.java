package io.moonpool.bench.history;

import io.moonpool.bench.history.Operation.Kind;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random operations on few keys from several clients at a fixed rate, recorded as a {@link
 * History}. Each client has one operation under way at a time; all run on the context of the
 * caller.
 */
public final class HistoryLoad {
  private final Vertx vertx;
  private final Settings settings;
  private final AtomicLong stamps = new AtomicLong();

  /**
   * What to do.
   *
   * @param opsPerSecond of all clients together; a client that is late does not catch up
   * @param seconds how long
   * @param keys how many; the fewer, the more operations meet
   * @param write how objects are stored
   * @param keyPrefix no object with that prefix may exist at the beginning
   * @param seed of the choice of operations; the history itself depends on timing
   */
  public record Settings(
      int opsPerSecond, long seconds, int keys, WriteOptions write, String keyPrefix, long seed) {}

  private HistoryLoad(Vertx vertx, Settings settings) {
    this.vertx = vertx;
    this.settings = settings;
  }

  /** Runs the load with those clients, and completes with what they saw. */
  public static Future<History> run(Vertx vertx, List<MoonpoolClient> clients, Settings settings) {
    HistoryLoad load = new HistoryLoad(vertx, settings);
    List<Future<Recorder>> drivers = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      drivers.add(load.drive(i, clients.get(i), clients.size()));
    }
    return Future.all(drivers).map(all -> merge(all.list()));
  }

  private static History merge(List<Recorder> recorders) {
    Map<String, List<Operation>> byKey = new HashMap<>();
    Map<String, Long> outcomes = new HashMap<>();
    List<String> corrupt = new ArrayList<>();
    for (Recorder recorder : recorders) {
      recorder.byKey.forEach(
          (key, operations) ->
              byKey.computeIfAbsent(key, k -> new ArrayList<>()).addAll(operations));
      recorder.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Long::sum));
      corrupt.addAll(recorder.corrupt);
    }
    return new History(byKey, outcomes, corrupt);
  }

  private Future<Recorder> drive(int number, MoonpoolClient client, int clients) {
    Promise<Recorder> finished = Promise.promise();
    long pauseNanos = 1_000_000_000L * clients / settings.opsPerSecond;
    vertx.runOnContext(
        start -> {
          long now = System.nanoTime();
          Driver driver =
              new Driver(
                  number,
                  client,
                  new SplittableRandom(settings.seed + number),
                  pauseNanos,
                  now + settings.seconds * 1_000_000_000L,
                  finished);
          driver.next(now + pauseNanos * number / clients);
        });
    return finished.future();
  }

  /** What one client saw. */
  private static final class Recorder {
    final Map<String, List<Operation>> byKey = new HashMap<>();
    final Map<String, Long> outcomes = new HashMap<>();
    final List<String> corrupt = new ArrayList<>();

    void record(String key, Operation operation) {
      byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(operation);
    }

    void count(String what, ErrorCode code) {
      outcomes.merge(what + " " + code.name(), 1L, Long::sum);
    }
  }

  /** One client's loop. */
  private final class Driver {
    private final int number;
    private final MoonpoolClient client;
    private final SplittableRandom random;
    private final long pauseNanos;
    private final long endNanos;
    private final Promise<Recorder> finished;
    private final Recorder recorder = new Recorder();

    Driver(
        int number,
        MoonpoolClient client,
        SplittableRandom random,
        long pauseNanos,
        long endNanos,
        Promise<Recorder> finished) {
      this.number = number;
      this.client = client;
      this.random = random;
      this.pauseNanos = pauseNanos;
      this.endNanos = endNanos;
      this.finished = finished;
    }

    void next(long dueNanos) {
      long now = System.nanoTime();
      if (now >= endNanos) {
        finished.complete(recorder);
        return;
      }
      long delayMillis = (dueNanos - now) / 1_000_000;
      if (delayMillis > 0) {
        vertx.setTimer(delayMillis, fired -> act(dueNanos));
      } else {
        act(dueNanos);
      }
    }

    private void act(long dueNanos) {
      String key = settings.keyPrefix + random.nextInt(settings.keys);
      int dice = random.nextInt(100);
      Future<Void> over;
      if (dice < 50) {
        over = read(key);
      } else if (dice < 80) {
        over = write(key, Kind.WRITE);
      } else if (dice < 90) {
        over = write(key, Kind.CREATE);
      } else {
        over = remove(key);
      }
      over.onComplete(
          ended -> {
            // A fresh task, so that answers that come at once do not grow the stack.
            vertx.runOnContext(task -> next(Math.max(dueNanos + pauseNanos, System.nanoTime())));
          });
    }

    private Future<Void> read(String key) {
      long call = System.nanoTime();
      return client
          .get(key)
          .transform(
              result -> {
                long end = System.nanoTime();
                ErrorCode code = codeOf(result.failed() ? result.cause() : null);
                recorder.count("get", code);
                if (code == ErrorCode.OK) {
                  try {
                    long stamp = StampedValue.stampOf(result.result());
                    record(key, Kind.READ, stamp, call, end, true);
                  } catch (IllegalStateException wrong) {
                    recorder.corrupt.add(key + ": " + wrong.getMessage());
                  }
                } else if (code == ErrorCode.OBJECT_NOT_FOUND) {
                  record(key, Kind.READ, Operation.ABSENT, call, end, true);
                }
                return Future.succeededFuture();
              });
    }

    private Future<Void> write(String key, Kind kind) {
      long stamp = stamps.incrementAndGet();
      byte[] value = StampedValue.of(stamp);
      long call = System.nanoTime();
      Future<Void> written =
          kind == Kind.WRITE
              ? client.upsert(key, value, settings.write)
              : client.put(key, value, settings.write);
      return written.transform(
          result -> {
            long end = System.nanoTime();
            ErrorCode code = codeOf(result.failed() ? result.cause() : null);
            recorder.count(kind == Kind.WRITE ? "upsert" : "put", code);
            // These come from the start of a write, or tell that it was refused as a whole.
            boolean neverHappened =
                code == ErrorCode.OBJECT_ALREADY_EXISTS
                    || code == ErrorCode.NO_AVAILABLE_HANDLE
                    || code == ErrorCode.INVALID_PARAMS;
            if (!neverHappened) {
              record(key, kind, stamp, call, end, code == ErrorCode.OK);
            }
            return Future.succeededFuture();
          });
    }

    private Future<Void> remove(String key) {
      long call = System.nanoTime();
      return client
          .remove(key, true)
          .transform(
              result -> {
                long end = System.nanoTime();
                ErrorCode code = codeOf(result.failed() ? result.cause() : null);
                recorder.count("remove", code);
                switch (code) {
                  case OK -> record(key, Kind.REMOVE, Operation.ABSENT, call, end, true);
                  case OBJECT_NOT_FOUND ->
                      record(key, Kind.REMOVE_MISSED, Operation.ABSENT, call, end, true);
                  case REPLICA_IS_NOT_READY, OBJECT_REPLICA_BUSY, OBJECT_HAS_REPLICATION_TASK -> {
                    // Refused: tells nothing about the value.
                  }
                  default -> record(key, Kind.REMOVE, Operation.ABSENT, call, end, false);
                }
                return Future.succeededFuture();
              });
    }

    private void record(String key, Kind kind, long value, long call, long end, boolean known) {
      recorder.record(key, new Operation(number, kind, value, call, end, known));
    }

    private static ErrorCode codeOf(@org.jspecify.annotations.Nullable Throwable failure) {
      return failure == null ? ErrorCode.OK : StoreException.codeOf(failure);
    }
  }
}
