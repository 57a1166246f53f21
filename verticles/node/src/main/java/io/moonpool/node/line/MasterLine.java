package io.moonpool.node.line;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameCaller;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
