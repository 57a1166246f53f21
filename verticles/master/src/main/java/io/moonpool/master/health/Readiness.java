package io.moonpool.master.health;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.model.KeyBatch;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether this master can do its work now. It asks: each owner of state must answer a small
 * question in time, and the heartbeat clock must advance. A check that runs is shared by all who
 * ask, and its result for a short while, so that many probes cost no more than one.
 *
 * <p>Used on one event loop, which samples the clock too.
 */
public final class Readiness {
  private static final long SAMPLE_MILLIS = 500;
  private static final int TOLERATED_SAMPLES = 4;
  private static final long ANSWER_MILLIS = 2_000;
  private static final long KEEP_MILLIS = 250;

  /** Enough keys that each metadata loop owns the shard of at least one, all but surely. */
  private static final int PROBE_KEYS = 64;

  /** No segment has this generation: a question for nothing. */
  private static final long[] NO_GENERATION = {-1};

  private final Vertx vertx;
  private final MasterOperations master;
  private final KeyBatch probeKeys = new KeyBatch(PROBE_KEYS);
  private final ClockWatch clock = new ClockWatch(TOLERATED_SAMPLES);
  private final long timer;
  private @Nullable Future<List<Check>> running;

  /**
   * One thing that must work.
   *
   * @param name for people and alerts
   * @param up whether it does
   * @param message what is wrong and what to do; empty when it works
   */
  public record Check(String name, boolean up, String message) {}

  /** Starts to watch the clock; call on the event loop that will ask. */
  public Readiness(Vertx vertx, MasterOperations master, MasterStats stats) {
    this.vertx = vertx;
    this.master = master;
    for (int i = 0; i < PROBE_KEYS; i++) {
      probeKeys.add("moonpool/readiness/" + i);
    }
    timer = vertx.setPeriodic(SAMPLE_MILLIS, elapsed -> clock.sample(stats.observedMillis()));
  }

  /** Stops to watch the clock. */
  public void close() {
    vertx.cancelTimer(timer);
  }

  /** All checks; never fails. Ready means that each is up. */
  public Future<List<Check>> check() {
    Future<List<Check>> shared = running;
    if (shared != null) {
      return shared;
    }
    Future<List<Check>> started =
        Future.all(
                probe("metadata", master.exists(new NamedObjects("", probeKeys))),
                probe("segments", master.describeSegments(new DescribeSegments(NO_GENERATION))),
                probe("clients", master.clients()))
            .map(all -> List.of(all.<Check>resultAt(0), all.resultAt(1), all.resultAt(2), clock()));
    running = started;
    started.onComplete(done -> vertx.setTimer(KEEP_MILLIS, elapsed -> running = null));
    return started;
  }

  private static Future<Check> probe(String owner, Future<?> answer) {
    return answer
        .timeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
        .map(any -> new Check(owner, true, ""))
        .otherwise(
            failure ->
                new Check(
                    owner,
                    false,
                    "its owner does not answer: see moonpool_loop_queue_depth and the master's log"));
  }

  private Check clock() {
    return clock.advances()
        ? new Check("heartbeat_clock", true, "")
        : new Check(
            "heartbeat_clock",
            false,
            "the heartbeat loop stands still: see the master's log and the load of its machine");
  }
}
