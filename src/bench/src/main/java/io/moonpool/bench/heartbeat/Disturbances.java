package io.moonpool.bench.heartbeat;

import io.moonpool.model.Checksum;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * All that may disturb a master from outside, at once, each on a thread of its own: puts into full
 * memory, so that it evicts; a drain of a segment; a listing of all keys by a regular expression,
 * again and again; new connections to the main port, a thousand a second.
 */
final class Disturbances {
  private static final UUID WRITER = new UUID(0xD157, 1);
  private static final int PUT_BATCH = 64;
  private static final int PAGE = 1_000;
  private static final long CONNECT_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 1_000;
  private static final int CONNECT_MILLIS = 2_000;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final MasterUnderTest master;
  private final HeartbeatPool pool;
  private final Vertx vertx;
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder put = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder moved = new LongAdder();
  private final LongAdder listed = new LongAdder();
  private final LongAdder connected = new LongAdder();
  private volatile boolean stopped;

  Disturbances(Vertx vertx, MasterUnderTest master, HeartbeatPool pool) {
    this.vertx = vertx;
    this.master = master;
    this.pool = pool;
  }

  /** Part of a disturbance. */
  private interface Turn {
    void run(MasterCaller caller) throws InterruptedException, IOException;
  }

  /**
   * Starts all of it.
   *
   * @param drained a segment of this client is drained, and it carries out the moves
   */
  void start(Client drained) throws IOException, InterruptedException {
    SegmentDrain.begin(master, pool.segments(drained.number()).getFirst().id());
    begin("disturb-drain", ignored -> moved.add(drained.carryOutTasks()));
    begin("disturb-put", this::putOnce);
    begin("disturb-list", this::listAll);
    begin("disturb-connect", ignored -> connectOnce());
  }

  private void begin(String name, Turn turn) {
    MasterCaller caller = new MasterCaller(vertx, master);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .start(
                () -> {
                  while (!stopped) {
                    try {
                      turn.run(caller);
                    } catch (StoreException | IOException e) {
                      refused.increment();
                      LockSupport.parkNanos(RETRY_NANOS);
                    } catch (InterruptedException e) {
                      return;
                    }
                  }
                });
    threads.add(thread);
  }

  private long nextKey;

  private void putOnce(MasterCaller caller) throws InterruptedException {
    KeyBatch keys = HeartbeatPool.batch(PUT_BATCH, i -> pool.keys() + nextKey++);
    long[] sizes = new long[PUT_BATCH];
    Arrays.fill(sizes, HeartbeatPool.OBJECT_BYTES);
    List<Outcome<StartedObject>> started =
        caller.call(
            Calls.PUT_START, new StartObjects(WRITER, "", keys, sizes, ReplicateConfig.DEFAULT));
    KeyBatch ended = new KeyBatch(PUT_BATCH);
    long[] versions = new long[PUT_BATCH];
    for (int i = 0; i < PUT_BATCH; i++) {
      if (started.get(i).ok()) {
        versions[ended.size()] = started.get(i).get().version();
        ended.add(keys.bytes(), keys.offset(i), keys.length(i));
      } else {
        refused.increment();
      }
    }
    int count = ended.size();
    if (count == 0) {
      LockSupport.parkNanos(RETRY_NANOS);
      return;
    }
    List<Outcome<Void>> done =
        caller.call(
            Calls.END,
            new EndObjects(
                WRITER,
                "",
                ended,
                Arrays.copyOf(versions, count),
                Collections.nCopies(count, Checksum.NONE)));
    put.add(done.stream().filter(Outcome::ok).count());
  }

  private void listAll(MasterCaller caller) throws InterruptedException {
    long cursor = 0;
    do {
      // Matches a key in 16, so that the walk goes over many for a page.
      ObjectPage page =
          caller.call(Calls.LIST, new ListObjects("", "kv-[0-9a-f]+7$", cursor, PAGE));
      listed.add(page.objects().size());
      cursor = page.nextCursor();
    } while (cursor != 0 && !stopped);
  }

  private void connectOnce() throws IOException {
    long next = System.nanoTime() + CONNECT_PERIOD_NANOS;
    try (Socket socket = new Socket()) {
      // Reset at the end: no ports are left waiting.
      socket.setSoLinger(true, 0);
      socket.connect(new InetSocketAddress(master.host(), master.rpcPort()), CONNECT_MILLIS);
      connected.increment();
    }
    LockSupport.parkNanos(next - System.nanoTime());
  }

  /** How many objects were put to their end. Ask when it is stopped. */
  long putKeys() {
    return put.sum();
  }

  /** What it did; empty when it was not started. */
  List<String> notes() {
    return threads.isEmpty()
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%,d objects put and %,d refused, %,d moved by a drain, %,d listed, %,d connections",
                put.sum(),
                refused.sum(),
                moved.sum(),
                listed.sum(),
                connected.sum()));
  }

  /** Stops and waits until all calls were answered. */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
