package io.moonpool.master.drain;

import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/** The clock of a running master. Its timers run on the context that sets them. */
final class VertxClock implements DrainClock {
  private final Vertx vertx;
  private final LongSupplier clockMillis;

  VertxClock(Vertx vertx, LongSupplier clockMillis) {
    this.vertx = vertx;
    this.clockMillis = clockMillis;
  }

  @Override
  public long nowMillis() {
    return clockMillis.getAsLong();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public Timer in(long delayMillis, Runnable action) {
    long timer = vertx.setTimer(Math.max(1, delayMillis), ignored -> action.run());
    return () -> vertx.cancelTimer(timer);
  }
}
