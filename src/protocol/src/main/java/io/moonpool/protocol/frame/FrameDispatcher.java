package io.moonpool.protocol.frame;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which handler serves which call. Immutable; any thread.
 *
 * <p>Handlers run on the event loop of the connection and, on Vert.x, on the context of its server.
 * They must not block. The answer of a future that is already complete is encoded at once, that of
 * another when it completes, on whatever thread. A {@link io.moonpool.model.StoreException}, thrown
 * or in the future, is answered as it is; any other failure as a fault of this server.
 */
public final class FrameDispatcher {
  private final IntObjectHashMap<Route<?, ?>> routes;

  private FrameDispatcher(IntObjectHashMap<Route<?, ?>> routes) {
    this.routes = routes;
  }

  /** Starts a table. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The handler of a function; of several forms of its arguments the one that a body has, the first
   * for a body that has none.
   */
  @Nullable Route<?, ?> find(int functionId, ByteBuf body) {
    Route<?, ?> first = routes.get(functionId);
    if (first == null || first.otherwise() == null) {
      return first;
    }
    int code = Form.code(body);
    for (Route<?, ?> route = first; route != null; route = route.otherwise()) {
      if (route.call().request().code() == code) {
        return route;
      }
    }
    return first;
  }

  /** Whether requests of a function are taken out of turn, whatever the form of their arguments. */
  boolean isUrgent(int functionId) {
    Route<?, ?> first = routes.get(functionId);
    return first != null && first.urgent();
  }

  /**
   * A call and its handler.
   *
   * @param urgent whether its requests are taken out of turn
   * @param otherwise those of other forms of its arguments
   */
  record Route<Q, R>(
      Call<Q, R> call,
      BiFunction<? super Q, BooleanSupplier, Future<R>> handler,
      boolean urgent,
      @Nullable Route<?, ?> otherwise) {
    Route<Q, R> or(Route<?, ?> last) {
      Route<?, ?> next = otherwise;
      return new Route<>(call, handler, urgent, next == null ? last : next.or(last));
    }
  }

  /** Collects the handlers of a {@link FrameDispatcher}. One thread. */
  public static final class Builder {
    private final IntObjectHashMap<Route<?, ?>> routes = new IntObjectHashMap<>();

    private Builder() {}

    /**
     * Adds the handler of a call.
     *
     * @throws IllegalArgumentException when the call, or one of the same function id, has one
     */
    public <Q, R> Builder on(Call<Q, R> call, Function<? super Q, Future<R>> handler) {
      return on(call, (request, callerGone) -> handler.apply(request));
    }

    /**
     * Adds the handler of a call that may take long.
     *
     * @param handler is also given what tells, to any thread and at any time, whether the caller's
     *     connection is gone
     * @throws IllegalArgumentException when the call, or one of the same function id, has one
     */
    public <Q, R> Builder on(
        Call<Q, R> call, BiFunction<? super Q, BooleanSupplier, Future<R>> handler) {
      return add(new Route<>(call, handler, false, null));
    }

    /**
     * Adds the handler of a call that does not wait for the pipelined calls of other connections.
     * It must be done in microseconds.
     *
     * @throws IllegalArgumentException when the call, or one of the same function id, has one
     */
    public <Q, R> Builder onUrgent(Call<Q, R> call, Function<? super Q, Future<R>> handler) {
      return add(new Route<>(call, (request, callerGone) -> handler.apply(request), true, null));
    }

    private Builder add(Route<?, ?> route) {
      Route<?, ?> other = routes.put(route.call().functionId(), route);
      if (other != null) {
        throw new IllegalArgumentException(
            route.call() + " and " + other.call() + " have the same id");
      }
      return this;
    }

    /**
     * Adds another form of the arguments of a call that has a handler; the type code of a body
     * tells them apart.
     *
     * @throws IllegalArgumentException when the function has no handler yet
     */
    public <Q, R> Builder orElse(
        Call<Q, R> call, BiFunction<? super Q, BooleanSupplier, Future<R>> handler) {
      Route<?, ?> first = routes.get(call.functionId());
      if (first == null) {
        throw new IllegalArgumentException(call + " has no first form");
      }
      routes.put(call.functionId(), first.or(new Route<>(call, handler, false, null)));
      return this;
    }

    /** The finished table. */
    public FrameDispatcher build() {
      IntObjectHashMap<Route<?, ?>> copy = new IntObjectHashMap<>(Math.max(1, routes.size()));
      copy.putAll(routes);
      return new FrameDispatcher(copy);
    }
  }
}
