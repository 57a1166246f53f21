package io.moonpool.protocol.frame;

import io.moonpool.protocol.call.Call;
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

  @Nullable Route<?, ?> find(int functionId) {
    return routes.get(functionId);
  }

  /**
   * A call and its handler.
   *
   * @param urgent whether its requests are taken out of turn
   */
  record Route<Q, R>(
      Call<Q, R> call, BiFunction<? super Q, BooleanSupplier, Future<R>> handler, boolean urgent) {}

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
      return add(new Route<>(call, handler, false));
    }

    /**
     * Adds the handler of a call that does not wait for the pipelined calls of other connections.
     * It must be done in microseconds.
     *
     * @throws IllegalArgumentException when the call, or one of the same function id, has one
     */
    public <Q, R> Builder onUrgent(Call<Q, R> call, Function<? super Q, Future<R>> handler) {
      return add(new Route<>(call, (request, callerGone) -> handler.apply(request), true));
    }

    private Builder add(Route<?, ?> route) {
      Route<?, ?> other = routes.put(route.call().functionId(), route);
      if (other != null) {
        throw new IllegalArgumentException(
            route.call() + " and " + other.call() + " have the same id");
      }
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
