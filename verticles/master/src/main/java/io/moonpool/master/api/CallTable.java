package io.moonpool.master.api;

import io.moonpool.master.loop.HandlerMeter;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls that one listener of the main port answers, while they are collected. Each is told
 * apart from the one before it by the loop's meter. Handlers run on the listener's loop.
 */
public final class CallTable {
  private final HandlerMeter meter;
  private final FrameDispatcher.Builder calls = FrameDispatcher.builder();
  private @Nullable Function<Call<?, ?>, CallObserver> observers;

  CallTable(HandlerMeter meter) {
    this.meter = meter;
  }

  /**
   * Has the calls that are added from now on observed.
   *
   * @param each is asked once for each of them
   */
  public CallTable observe(Function<Call<?, ?>, CallObserver> each) {
    observers = each;
    return this;
  }

  /** Ends {@link #observe}. */
  public CallTable unobserved() {
    observers = null;
    return this;
  }

  /** Adds a call. */
  public <Q, R> CallTable on(Call<Q, R> call, Function<Q, Future<R>> handler) {
    return onLong(call, (request, callerGone) -> handler.apply(request));
  }

  /** Adds a call that stops when its caller is gone. */
  public <Q, R> CallTable onLong(
      Call<Q, R> call, BiFunction<Q, BooleanSupplier, Future<R>> handler) {
    calls.on(call, marked(call, handler));
    return this;
  }

  /** Adds a call of a few microseconds, which does not wait for calls that others pipeline. */
  public <Q, R> CallTable onUrgent(Call<Q, R> call, Function<Q, Future<R>> handler) {
    BiFunction<Q, BooleanSupplier, Future<R>> marked =
        marked(call, (request, callerGone) -> handler.apply(request));
    calls.onUrgent(call, request -> marked.apply(request, () -> false));
    return this;
  }

  /** Adds another form of the arguments of a call that was added. */
  public <Q, R> CallTable orElse(Call<Q, R> call, Function<Q, Future<R>> handler) {
    calls.orElse(call, marked(call, (request, callerGone) -> handler.apply(request)));
    return this;
  }

  private <Q, R> BiFunction<Q, BooleanSupplier, Future<R>> marked(
      Call<Q, R> call, BiFunction<Q, BooleanSupplier, Future<R>> handler) {
    CallObserver observer = observers == null ? null : observers.apply(call);
    if (observer == null) {
      return (request, callerGone) -> {
        meter.mark(call.name());
        return handler.apply(request, callerGone);
      };
    }
    return (request, callerGone) -> {
      meter.mark(call.name());
      return handler.apply(request, callerGone).onComplete(observer::ended);
    };
  }

  FrameDispatcher build() {
    return calls.build();
  }
}
