package io.moonpool.node.line;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameCaller;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the master for as long as it takes: a call that fails is made again after a pause, until it
 * is answered or the mount that it is about has ended. Belongs to an event loop.
 */
public final class MasterLine {
  private static final Logger LOG = LoggerFactory.getLogger(MasterLine.class);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 2_000;

  private final Vertx vertx;
  private final FrameCaller master;
  private final BooleanSupplier current;

  /**
   * A line.
   *
   * @param current false once the mount has ended
   */
  public MasterLine(Vertx vertx, FrameCaller master, BooleanSupplier current) {
    this.vertx = vertx;
    this.master = master;
    this.current = current;
  }

  /** The mount that a call is about has ended: what it was for is settled by the next one. */
  public static final class MountEnded extends RuntimeException {
    private static final long serialVersionUID = 1;

    MountEnded() {
      super("the mount of the disk has ended", null, false, false);
    }
  }

  /** Calls once. */
  public <Q, R> Future<R> once(Call<Q, R> call, Q request) {
    return current.getAsBoolean()
        ? master.call(call, request)
        : Future.failedFuture(new MountEnded());
  }

  /** Calls until there is an answer; fails with {@link MountEnded} only. */
  public <Q, R> Future<R> persistently(Call<Q, R> call, Q request) {
    return untilAnswered(call, () -> request);
  }

  /** Like {@link #persistently(Call, Object)}, with a request that is made anew each time. */
  public <Q, R> Future<R> untilAnswered(Call<Q, R> call, Supplier<Q> request) {
    Promise<R> promise = Promise.promise();
    attempt(call, request, FIRST_PAUSE_MILLIS, promise);
    return promise.future();
  }

  /**
   * What a call brought that may be used for some time only.
   *
   * @param fromNanos by {@link System#nanoTime}, when that time began at the latest
   */
  public record Granted<R>(R answer, long fromNanos) {
    /** When a time is over that began then. */
    public long untilNanos(long millis) {
      return fromNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  /**
   * Like {@link #untilAnswered}, for answers that grant something for a time. It counts from when
   * the call was made, and not from when the answer is read: the answer may have lain here while
   * this process was stopped.
   *
   * @param waitedMillis how long the master says that the call had waited before it granted
   */
  public <Q, R> Future<Granted<R>> granted(
      Call<Q, R> call, Supplier<Q> request, ToLongFunction<R> waitedMillis) {
    long[] askedNanos = new long[1];
    return untilAnswered(
            call,
            () -> {
              askedNanos[0] = System.nanoTime();
              return request.get();
            })
        .map(
            answer -> {
              long elapsedNanos = System.nanoTime() - askedNanos[0];
              long waitedNanos =
                  TimeUnit.MILLISECONDS.toNanos(Math.max(0, waitedMillis.applyAsLong(answer)));
              return new Granted<>(answer, askedNanos[0] + Math.min(waitedNanos, elapsedNanos));
            });
  }

  private <Q, R> void attempt(
      Call<Q, R> call, Supplier<Q> request, long pauseMillis, Promise<R> promise) {
    once(call, request.get())
        .onComplete(
            answer -> {
              if (answer.succeeded()) {
                promise.complete(answer.result());
              } else if (!current.getAsBoolean()) {
                promise.fail(new MountEnded());
              } else {
                LOG.info("{} is made again: {}", call.name(), answer.cause().getMessage());
                vertx.setTimer(
                    pauseMillis,
                    later ->
                        attempt(
                            call, request, Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS), promise));
              }
            });
  }

  /** Completes after a pause; fails with {@link MountEnded} when the mount ends meanwhile. */
  public Future<Void> pause(long millis) {
    return vertx
        .timer(millis)
        .compose(
            over ->
                current.getAsBoolean()
                    ? Future.succeededFuture()
                    : Future.failedFuture(new MountEnded()));
  }
}
