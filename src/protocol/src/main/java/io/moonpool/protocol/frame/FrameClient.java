package io.moonpool.protocol.frame;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls a server over one connection, which it opens at the first call and again at the first call
 * after it was lost. Calls are pipelined.
 *
 * <p>When a call times out and nothing at all came since it was sent, for at least as long as
 * connecting may take, the connection is given up: the peer may have vanished without a word.
 *
 * <p>{@link #call} may be called by any thread. The client belongs to the event-loop context that
 * it was created on: calls from there need no hop to another thread, others one each way. After an
 * attempt to connect failed, calls fail at once until the next attempt is due; the pause doubles
 * from 10 ms up to one second.
 */
public final class FrameClient implements FrameCaller {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ContextInternal context;
  private final EventLoop loop;
  private final FrameClientOptions options;
  private final Function<FrameCaller, Future<?>> greeting;
  private final NetClient netClient;
  private final FrameCounters counters = new FrameCounters();

  // All that follows belongs to the event loop.

  /** Calls that wait for the connection and its greeting. */
  private final ArrayDeque<PendingCall<?>> waiting = new ArrayDeque<>();

  private long waitingBytes;

  /**
   * Set from when the connection is made; other calls than the greeting's wait for {@link #ready}.
   */
  private @Nullable FrameClientHandler connection;

  private boolean ready;
  private boolean connecting;
  private boolean closed;
  private long pauseNanos;
  private long notBeforeNanos = System.nanoTime();
  private String lastFailure = "";
  private @Nullable ScheduledFuture<?> timer;
  private long timerNanos;

  private FrameClient(
      ContextInternal context,
      FrameClientOptions options,
      Function<FrameCaller, Future<?>> greeting) {
    this.context = context;
    this.loop = context.nettyEventLoop();
    this.options = options;
    this.greeting = greeting;
    this.netClient =
        context
            .owner()
            .createNetClient(
                new NetClientOptions(options.net())
                    .setTcpNoDelay(true)
                    .setTcpKeepAlive(true)
                    .setReconnectAttempts(0)
                    .setConnectTimeout(options.connectTimeoutMillis()));
  }

  /** A client without a greeting; see {@link #create(Vertx, FrameClientOptions, Function)}. */
  public static FrameClient create(Vertx vertx, FrameClientOptions options) {
    return create(vertx, options, connection -> Future.succeededFuture());
  }

  /**
   * A client that belongs to the current event-loop context, or to a new one on a thread that has
   * none. It connects at the first call.
   *
   * @param greeting makes the first calls on each new connection, on the client's event loop; other
   *     calls wait for it. When it fails, so do they, and the connection is closed
   * @throws IllegalStateException on a worker context
   */
  public static FrameClient create(
      Vertx vertx, FrameClientOptions options, Function<FrameCaller, Future<?>> greeting) {
    Context context = vertx.getOrCreateContext();
    if (!context.isEventLoopContext()) {
      throw new IllegalStateException("a frame client needs an event loop: create it on one");
    }
    return new FrameClient((ContextInternal) context, options, greeting);
  }

  /** Calls with the default timeout; see {@link #call(Call, Object, long)}. */
  @Override
  public <Q, R> Future<R> call(Call<Q, R> call, Q request) {
    return call(call, request, options.callTimeoutMillis());
  }

  /**
   * Makes a call. The request is encoded before this returns, so its arrays may be reused. Any
   * thread.
   *
   * @param timeoutMillis how long the call may take, connecting included
   * @return completes on the caller's context, or on the client's when the caller has none. Fails
   *     with a {@link StoreException}: what the server answered; RPC_FAIL when the connection
   *     cannot be made or is lost; RPC_TIMEOUT when no answer came in time (after both the call may
   *     have happened); INVALID_PARAMS when the request is too large; KEYS_ULTRA_LIMIT when too
   *     much is under way
   */
  public <Q, R> Future<R> call(Call<Q, R> call, Q request, long timeoutMillis) {
    ContextInternal caller = ContextInternal.current();
    Promise<R> promise = (caller == null ? context : caller).promise();
    PendingCall<R> pending;
    try {
      pending = prepare(call, request, timeoutMillis, promise);
    } catch (IllegalArgumentException e) {
      promise.fail(new StoreException(ErrorCode.INVALID_PARAMS, call + ": " + e.getMessage()));
      return promise.future();
    }
    if (loop.inEventLoop()) {
      start(pending);
    } else {
      try {
        loop.execute(pending);
      } catch (RejectedExecutionException e) {
        pending.fail(ErrorCode.RPC_FAIL, "Vert.x is closed");
      }
    }
    return promise.future();
  }

  /** Encodes a call; throws {@link IllegalArgumentException} when it is too large. */
  private <Q, R> PendingCall<R> prepare(
      Call<Q, R> call, Q request, long timeoutMillis, Promise<R> promise) {
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    long deadlineNanos = System.nanoTime() + timeoutNanos;
    ByteBuf frame =
        call.request()
            .encode(
                ByteBufAllocator.DEFAULT,
                FrameHeader.REQUEST_BYTES,
                options.limits().maxBodyBytes(),
                request,
                options.form());
    FrameHeader.setRequest(frame, call.functionId());
    return new PendingCall<>(this, call, frame, promise, timeoutNanos, deadlineNanos);
  }

  /** Sends a call, or lets it wait for the connection. Event loop. */
  void start(PendingCall<?> call) {
    if (closed) {
      call.fail(ErrorCode.RPC_FAIL, "the client is closed");
      return;
    }
    FrameClientHandler current = connection;
    if (current == null && !connecting && System.nanoTime() - notBeforeNanos < 0) {
      call.fail(ErrorCode.RPC_FAIL, lastFailure);
      return;
    }
    int underWay = waiting.size() + (current == null ? 0 : current.inFlight());
    long bytes = waitingBytes + (current == null ? 0 : current.inFlightBytes());
    if (underWay >= options.limits().maxInFlight()
        || bytes >= options.limits().maxInFlightBytes()) {
      call.fail(
          ErrorCode.KEYS_ULTRA_LIMIT,
          underWay + " calls of " + bytes + " bytes are under way: slow down");
      return;
    }
    armTimer(call.deadlineNanos());
    if (current != null && ready) {
      current.send(call);
      return;
    }
    waiting.add(call);
    waitingBytes += call.frameBytes();
    if (!connecting) {
      connect();
    }
  }

  private void connect() {
    connecting = true;
    context.emit(
        v ->
            netClient
                .connect(options.port(), options.host())
                .onComplete(
                    (socket, failure) -> {
                      if (failure == null) {
                        connected(socket);
                      } else {
                        connectFailed(failure);
                      }
                    }));
  }

  private void connected(NetSocket socket) {
    if (closed) {
      connecting = false;
      socket.close();
      return;
    }
    FrameClientHandler handler =
        new FrameClientHandler(this, counters, context, options.limits().maxBodyBytes());
    ChannelHandlerContext last = ((NetSocketInternal) socket).channelHandlerContext();
    last.pipeline().addBefore(last.name(), "frames", handler);
    connection = handler;
    Future<?> greeted;
    try {
      greeted = greeting.apply(greeter(handler));
    } catch (RuntimeException e) {
      greeted = Future.failedFuture(e);
    }
    greeted.onComplete((ignored, failure) -> context.execute(() -> greeted(handler, failure)));
  }

  /** Makes calls on a connection that is not open for others yet. Event loop. */
  private FrameCaller greeter(FrameClientHandler handler) {
    return new FrameCaller() {
      @Override
      public <Q, R> Future<R> call(Call<Q, R> call, Q request) {
        Promise<R> promise = context.promise();
        PendingCall<R> pending = prepare(call, request, options.callTimeoutMillis(), promise);
        armTimer(pending.deadlineNanos());
        handler.send(pending);
        return promise.future();
      }
    };
  }

  private void greeted(FrameClientHandler handler, @Nullable Throwable failure) {
    connecting = false;
    if (failure != null) {
      handler.close("the greeting failed");
      connectFailed(failure);
    } else if (connection != handler) {
      connectFailed(new StoreException(ErrorCode.RPC_FAIL, lastFailure));
    } else {
      ready = true;
      sendWaiting(handler);
    }
  }

  private void sendWaiting(FrameClientHandler handler) {
    waitingBytes = 0;
    PendingCall<?> call = waiting.poll();
    while (call != null) {
      handler.send(call);
      call = waiting.poll();
    }
  }

  private void connectFailed(Throwable cause) {
    connecting = false;
    pause("cannot connect to " + peer() + ": " + cause.getMessage());
    failWaiting(lastFailure);
  }

  private String peer() {
    return options.host() + ":" + options.port();
  }

  private void pause(String failure) {
    pauseNanos = Math.min(Math.max(2 * pauseNanos, FIRST_PAUSE_NANOS), MAX_PAUSE_NANOS);
    notBeforeNanos = System.nanoTime() + pauseNanos;
    lastFailure = failure;
  }

  private void failWaiting(String reason) {
    // A copy: failing a call may start another one, which waits for the next attempt.
    List<PendingCall<?>> failed = new ArrayList<>(waiting);
    waiting.clear();
    waitingBytes = 0;
    for (PendingCall<?> call : failed) {
      call.fail(ErrorCode.RPC_FAIL, reason);
    }
  }

  /** The connection is gone; its calls fail after this. Event loop. */
  void disconnected(FrameClientHandler lost) {
    if (connection != lost) {
      return;
    }
    connection = null;
    ready = false;
    if (lost.hasAnswered()) {
      // It was good: the next call may connect at once.
      pauseNanos = 0;
      notBeforeNanos = System.nanoTime();
      lastFailure = "the connection was lost";
    } else {
      pause("the peer " + peer() + " closed the connection before it answered a call");
    }
  }

  /** Makes the timer go off at that deadline or before. One timer serves all calls. */
  private void armTimer(long deadlineNanos) {
    ScheduledFuture<?> armed = timer;
    if (armed != null) {
      if (timerNanos - deadlineNanos <= 0) {
        return;
      }
      armed.cancel(false);
    }
    timerNanos = deadlineNanos;
    timer = loop.schedule(this::expire, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private void expire() {
    timer = null;
    long nowNanos = System.nanoTime();
    long none = nowNanos + Long.MAX_VALUE;
    List<PendingCall<?>> expired = new ArrayList<>();
    FrameClientHandler current = connection;
    long earliest = none;
    boolean silent = false;
    if (current != null) {
      earliest = current.expire(nowNanos, none, expired);
      silent = expired.stream().anyMatch(call -> isPatient(call) && current.isSilentSince(call));
    }
    for (PendingCall<?> call : waiting) {
      if (call.deadlineNanos() - nowNanos <= 0) {
        expired.add(call);
        waitingBytes -= call.frameBytes();
      } else if (call.deadlineNanos() - earliest < 0) {
        earliest = call.deadlineNanos();
      }
    }
    waiting.removeIf(call -> call.deadlineNanos() - nowNanos <= 0);
    if (earliest != none) {
      armTimer(earliest);
    }
    counters.add(FrameCounter.TIMEOUTS, expired.size());
    for (PendingCall<?> call : expired) {
      call.fail(ErrorCode.RPC_TIMEOUT, "no answer from " + peer() + " in time");
    }
    if (silent && current != null) {
      current.close("the peer " + peer() + " has fallen silent");
    }
  }

  /** True when a call waited long enough to tell something about the connection. */
  private boolean isPatient(PendingCall<?> call) {
    return call.timeoutNanos() >= TimeUnit.MILLISECONDS.toNanos(options.connectTimeoutMillis());
  }

  /** Counts what happens here; any thread may read. */
  public FrameCounters counters() {
    return counters;
  }

  /** Closes the connection; calls under way fail. Any thread. */
  public Future<Void> close() {
    Promise<Void> promise = context.promise();
    context.execute(
        () -> {
          closed = true;
          ScheduledFuture<?> armed = timer;
          if (armed != null) {
            armed.cancel(false);
            timer = null;
          }
          FrameClientHandler current = connection;
          if (current != null) {
            current.close("the client was closed");
          }
          failWaiting("the client was closed");
          netClient.close().onComplete(promise);
        });
    return promise.future();
  }
}
