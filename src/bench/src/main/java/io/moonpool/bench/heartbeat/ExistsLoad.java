package io.moonpool.bench.heartbeat;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.NamedObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that ask for the existence of random keys in batches, each over a connection of its own.
 */
final class ExistsLoad implements AutoCloseable {
  static final int BATCH = 128;

  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder asked = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile boolean stopped;

  /**
   * Threads that have not started yet.
   *
   * @param count how many
   * @param pipeline how many batches each has under way
   */
  ExistsLoad(Vertx vertx, MasterUnderTest master, long keys, int count, int pipeline) {
    for (int i = 0; i < count; i++) {
      MasterCaller caller = new MasterCaller(vertx, master);
      SplittableRandom random = new SplittableRandom(i);
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("load-" + i)
              .unstarted(() -> run(caller, keys, random, pipeline)));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void run(MasterCaller caller, long keys, SplittableRandom random, int pipeline) {
    ArrayDeque<Future<?>> underWay = new ArrayDeque<>();
    while (!stopped) {
      KeyBatch batch = HeartbeatPool.batch(BATCH, i -> random.nextLong(keys));
      underWay.addLast(caller.callLater(Calls.EXISTS, new NamedObjects("", batch)));
      if (underWay.size() < pipeline) {
        continue;
      }
      try {
        MasterCaller.await(Calls.EXISTS, underWay.removeFirst());
        asked.add(BATCH);
      } catch (StoreException e) {
        failures.increment();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** How many keys were asked for. */
  long asked() {
    return asked.sum();
  }

  /** How many batches failed. */
  long failures() {
    return failures.sum();
  }

  @Override
  public void close() {
    stopped = true;
  }
}
