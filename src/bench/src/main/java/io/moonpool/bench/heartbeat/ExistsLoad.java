package io.moonpool.bench.heartbeat;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.ObjectMessages;
import io.moonpool.protocol.wire.Form;
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
   * @param way whose calls they make
   * @param count how many
   * @param pipeline how many batches each has under way
   */
  ExistsLoad(Vertx vertx, MasterUnderTest master, PingWay way, long keys, int count, int pipeline) {
    for (int i = 0; i < count; i++) {
      BatchCall call =
          way == PingWay.MOONCAKE
              ? mooncake(new MasterCaller(vertx, master, Form.LITERAL))
              : moonpool(new MasterCaller(vertx, master));
      SplittableRandom random = new SplittableRandom(i);
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("load-" + i)
              .unstarted(() -> run(call, keys, random, pipeline)));
    }
  }

  /** Asks for the existence of some keys. */
  private interface BatchCall {
    Future<?> ask(KeyBatch keys);
  }

  private static BatchCall moonpool(MasterCaller caller) {
    return keys -> caller.callLater(Calls.EXISTS, new NamedObjects("", keys));
  }

  private static BatchCall mooncake(MasterCaller caller) {
    return keys ->
        caller.callLater(ObjectCalls.BATCH_EXIST_KEY, new ObjectMessages.Keys(keys, "default"));
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void run(BatchCall call, long keys, SplittableRandom random, int pipeline) {
    ArrayDeque<Future<?>> underWay = new ArrayDeque<>();
    while (!stopped) {
      KeyBatch batch = HeartbeatPool.batch(BATCH, i -> random.nextLong(keys));
      underWay.addLast(call.ask(batch));
      if (underWay.size() < pipeline) {
        continue;
      }
      try {
        MasterCaller.await("the load", underWay.removeFirst());
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
