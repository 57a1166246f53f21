package io.moonpool.protocol.frame;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Form;
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
import org.jspecify.annotations.Nullable;

/**
 * Calls a server over one connection, which it opens at the first call and again at the first call
 * after it was lost. Calls are pipelined.
 *
 * <p>{@link #call} may be called by any thread. The client belongs to the event-loop context that
 * it was created on: calls from there need no hop to another thread, others one each way. After an
 * attempt to connect failed, calls fail at once until the next attempt is due; the pause doubles
 * from 10 ms up to one second.
 */
public final class FrameClient {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ContextInternal context;
  private final EventLoop loop;
  private final FrameClientOptions options;
  private final NetClient netClient;
  private final FrameCounters counters = new FrameCounters();

  // All that follows belongs to the event loop.
  private final ArrayDeque<PendingCall<?>> waiting = new ArrayDeque<>();
  private @Nullable FrameClientHandler connection;
  private boolean connecting;
  private boolean closed;
  private long pauseNanos;
  private long notBeforeNanos = System.nanoTime();
  private String lastFailure = "";
  private @Nullable ScheduledFuture<?> timer;
  private long timerNanos;

  private FrameClient(ContextInternal context, FrameClientOptions options) {
    this.context = context;
    this.loop = context.nettyEventLoop();
    this.options = options;
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

  /**
   * A client that belongs to the current event-loop context, or to a new one on a thread that has
   * none. It connects at the first call.
   *
   * @throws IllegalStateException on a worker context
   */
  public static FrameClient create(Vertx vertx, FrameClientOptions options) {
    Context context = vertx.getOrCreateContext();
    if (!context.isEventLoopContext()) {
      throw new IllegalStateException("a frame client needs an event loop: create it on one");
    }
    return new FrameClient((ContextInternal) context, options);
  }

  /** Calls with the default timeout; see {@link #call(Call, Object, long)}. */
  public <Q, R> Future<R> call(Call<Q, R> call, Q request) {
    return call(call, request, options.callTimeoutMillis());
  }

  /**
   * Makes a call. The request is encoded before this returns. Any thread.
   *
   * @param timeoutMillis how long the call may take, connecting included
   * @return completes on the caller's context, or on the client's when the caller has none. Fails
   *     with a {@link StoreException}: what the server answered; RPC_FAIL when the connection
   *     cannot be made or is lost; RPC_TIMEOUT when no answer came in time (after both the call may
   *     have happened); INVALID_PARAMS when the request is too large; KEYS_ULTRA_LIMIT when too
   *     many calls are under way
   */
  public <Q, R> Future<R> call(Call<Q, R> call, Q request, long timeoutMillis) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    ByteBuf frame;
    try {
      frame =
          call.request()
              .encode(
                  ByteBufAllocator.DEFAULT,
                  FrameHeader.REQUEST_BYTES,
                  options.limits().maxBodyBytes(),
                  request,
                  Form.SHORT);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(
          new StoreException(ErrorCode.INVALID_PARAMS, call + ": " + e.getMessage()));
    }
    FrameHeader.setRequest(frame, call.functionId());
    ContextInternal caller = ContextInternal.current();
    Promise<R> promise = (caller == null ? context : caller).promise();
    PendingCall<R> pending = new PendingCall<>(this, call, frame, promise, deadlineNanos);
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

  /** Sends a call, or lets it wait for the connection. Event loop. */
  void start(PendingCall<?> call) {
    FrameClientHandler current = connection;
    int underWay = waiting.size() + (current == null ? 0 : current.inFlight());
    if (closed) {
      call.fail(ErrorCode.RPC_FAIL, "the client is closed");
    } else if (underWay >= options.limits().maxInFlight()) {
      call.fail(ErrorCode.KEYS_ULTRA_LIMIT, underWay + " calls are under way: slow down");
    } else if (current != null) {
      armTimer(call.deadlineNanos());
      current.send(call);
    } else if (connecting) {
      armTimer(call.deadlineNanos());
      waiting.add(call);
    } else if (System.nanoTime() - notBeforeNanos < 0) {
      call.fail(ErrorCode.RPC_FAIL, lastFailure);
    } else {
      armTimer(call.deadlineNanos());
      waiting.add(call);
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
    connecting = false;
    if (closed) {
      socket.close();
      return;
    }
    FrameClientHandler handler =
        new FrameClientHandler(this, counters, context, options.limits().maxBodyBytes());
    ChannelHandlerContext last = ((NetSocketInternal) socket).channelHandlerContext();
    last.pipeline().addBefore(last.name(), "frames", handler);
    connection = handler;
    PendingCall<?> call = waiting.poll();
    while (call != null) {
      handler.send(call);
      call = waiting.poll();
    }
  }

  private void connectFailed(Throwable cause) {
    connecting = false;
    pause("cannot connect to " + options.host() + ":" + options.port() + ": " + cause.getMessage());
    failWaiting(lastFailure);
  }

  private void pause(String failure) {
    pauseNanos = Math.min(Math.max(2 * pauseNanos, FIRST_PAUSE_NANOS), MAX_PAUSE_NANOS);
    notBeforeNanos = System.nanoTime() + pauseNanos;
    lastFailure = failure;
  }

  private void failWaiting(String reason) {
    PendingCall<?> call = waiting.poll();
    while (call != null) {
      call.fail(ErrorCode.RPC_FAIL, reason);
      call = waiting.poll();
    }
  }

  /** The connection is gone; its calls fail after this. Event loop. */
  void disconnected(FrameClientHandler lost) {
    if (connection != lost) {
      return;
    }
    connection = null;
    if (lost.hasAnswered()) {
      // It was good: the next call may connect at once.
      pauseNanos = 0;
      notBeforeNanos = System.nanoTime();
    } else {
      pause("the peer closed the connection before it answered a call");
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
    List<PendingCall<?>> expired = new ArrayList<>();
    long earliest = nowNanos + Long.MAX_VALUE;
    FrameClientHandler current = connection;
    if (current != null) {
      earliest = current.expire(nowNanos, expired);
    }
    for (PendingCall<?> call : waiting) {
      if (call.deadlineNanos() - nowNanos <= 0) {
        expired.add(call);
      } else if (call.deadlineNanos() - earliest < 0) {
        earliest = call.deadlineNanos();
      }
    }
    waiting.removeAll(expired);
    if (earliest != nowNanos + Long.MAX_VALUE) {
      armTimer(earliest);
    }
    counters.add(FrameCounter.TIMEOUTS, expired.size());
    for (PendingCall<?> call : expired) {
      call.fail(
          ErrorCode.RPC_TIMEOUT,
          "no answer from " + options.host() + ":" + options.port() + " in time");
    }
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
          FrameClientHandler current = connection;
          if (current != null) {
            current.close("the client was closed");
          }
          failWaiting("the client was closed");
          ScheduledFuture<?> armed = timer;
          if (armed != null) {
            armed.cancel(false);
            timer = null;
          }
          netClient.close().onComplete(promise);
        });
    return promise.future();
  }
}
