package io.moonpool.bench.replay;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterCaller;
import io.moonpool.bench.heartbeat.MasterFiguresReader;
import io.moonpool.bench.master.Lenders;
import io.moonpool.bench.master.MasterStarter;
import io.moonpool.bench.master.StartedMaster;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Replays a trace against a master of its own. Blocks the thread that calls it. */
public final class ReplayBench {
  private static final int LENDERS = 4;
  private static final int MIN_OBJECTS = 64;

  private final ReplaySettings settings;
  private final Vertx vertx;
  private final MasterStarter starter;

  /** A replay; the connections are made with that Vert.x. */
  public ReplayBench(ReplaySettings settings, Vertx vertx, MasterStarter starter) {
    this.settings = settings;
    this.vertx = vertx;
    this.starter = starter;
  }

  /**
   * Replays all of it.
   *
   * @throws IOException when the master does not start, or its figures cannot be read
   */
  public ReplayFigures run(List<TraceRequest> trace) throws IOException, InterruptedException {
    long objects = Math.max(MIN_OBJECTS, settings.poolBytes() / settings.blockBytes());
    // Its segments are sized in objects of 4 KiB.
    HeartbeatPool pool =
        new HeartbeatPool(
            Math.max(LENDERS, settings.poolBytes() / HeartbeatPool.OBJECT_BYTES), LENDERS, 1, 1);
    Map<String, String> master =
        Map.of(
            "lease_ttl_ms", String.valueOf(settings.leaseMillis()),
            "eviction_ratio", String.valueOf(settings.evictionRatio()));
    try (StartedMaster started = starter.start(master, objects, null);
        Lenders _ = Lenders.join(vertx, started.target(), pool);
        MasterFiguresReader metrics = new MasterFiguresReader(started.target())) {
      List<ReplayClient> clients = new ArrayList<>();
      for (int i = 0; i < settings.clients(); i++) {
        clients.add(
            new ReplayClient(new MasterCaller(vertx, started.target()), settings.blockBytes()));
      }
      long begun = System.nanoTime();
      replay(trace, clients, begun);
      double seconds = (System.nanoTime() - begun) / 1e9;
      return ReplayClient.sum(clients, metrics.read().evicted(), seconds);
    }
  }

  private void replay(List<TraceRequest> trace, List<ReplayClient> clients, long begunNanos)
      throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<FutureTask<Boolean>> turns = new ArrayList<>();
    for (ReplayClient client : clients) {
      FutureTask<Boolean> turn =
          new FutureTask<>(
              () -> {
                int at = next.getAndIncrement();
                while (at < trace.size()) {
                  await(trace.get(at), begunNanos);
                  client.serve(trace.get(at));
                  at = next.getAndIncrement();
                }
                return true;
              });
      turns.add(turn);
      Thread.ofPlatform().daemon().name("replay-" + turns.size()).start(turn);
    }
    for (FutureTask<Boolean> turn : turns) {
      try {
        turn.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a call of the replay failed: " + e.getMessage(), e);
      }
    }
  }

  private void await(TraceRequest request, long begunNanos) throws InterruptedException {
    if (settings.speed() > 0) {
      long due =
          begunNanos
              + (long)
                  (TimeUnit.MILLISECONDS.toNanos(request.timestampMillis()) / settings.speed());
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    }
  }
}
