package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Put and get in segments that clients of Mooncake lend, by that system's {@code tcp} transport. A
 * transfer runs on the event loop of the context that started it. The segments of this process are
 * lent to such clients by {@link MooncakeServer}, not here.
 *
 * <p>The owner knows neither generations nor deadlines. An address of a mount that is gone is
 * rejected unless the owner has memory there again, and what the owner had received when a put was
 * given up it may still write a moment later.
 */
final class MooncakeTransport implements Transport {
  static final String NAME = SegmentEndpoint.MOONCAKE;

  private final VertxInternal vertx;
  private final DataConnector connector;
  private final Supplier<byte[]> description;
  private final Map<EventLoop, MooncakeLoop> loops = new ConcurrentHashMap<>();

  /**
   * Makes the transport.
   *
   * @param description what this process says in a handshake
   */
  MooncakeTransport(VertxInternal vertx, DataConnector connector, Supplier<byte[]> description) {
    this.vertx = vertx;
    this.connector = connector;
    this.description = description;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SegmentEndpoint register(Region region, UUID segmentId) {
    throw new IllegalStateException("nothing is lent through this side of the transport");
  }

  @Override
  public void activate(UUID segmentId, long generation) {
    throw new IllegalStateException("nothing is lent through this side of the transport");
  }

  @Override
  public Future<Void> unregister(UUID segmentId) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos) {
    ContextInternal context = vertx.getOrCreateContext();
    LocalMemory.check(put, local);
    Promise<Void> promise = context.promise();
    transfer(context, put, local, remote, remoteOffset, deadlineNanos, promise);
    return promise.future();
  }

  /**
   * Moves bytes from or to memory that has been checked.
   *
   * @param context the caller's
   * @param done told on the event loop of the context, or before this returns
   */
  void transfer(
      ContextInternal context,
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    StoreException wrong = remote.checkRange(remoteOffset, local.byteSize());
    if (wrong != null) {
      done.fail(wrong);
      return;
    }
    if (local.byteSize() == 0) {
      done.succeed();
      return;
    }
    MooncakeEndpoint endpoint = remote.mooncake();
    if (endpoint == null || !endpoint.isTcp()) {
      done.fail(
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "the client of Mooncake that lends the segment is not reached by tcp: have it use"
                  + " that protocol"));
      return;
    }
    EventLoop eventLoop = context.nettyEventLoop();
    MooncakeTransfer transfer =
        new MooncakeTransfer(put, local, endpoint.base() + remoteOffset, deadlineNanos, done);
    MooncakeLoop loop = loops.get(eventLoop);
    if (loop == null) {
      loop =
          loops.computeIfAbsent(
              eventLoop, key -> new MooncakeLoop(key, vertx, connector, description));
    }
    if (eventLoop.inEventLoop()) {
      loop.submit(endpoint, transfer);
    } else {
      MooncakeLoop there = loop;
      eventLoop.execute(() -> there.submit(endpoint, transfer));
    }
  }

  @Override
  public Future<Void> close() {
    List<Future<Void>> closing = new ArrayList<>();
    loops.forEach(
        (eventLoop, loop) -> {
          Promise<Void> promise = Promise.promise();
          eventLoop.execute(
              () -> {
                loop.close();
                promise.complete();
              });
          closing.add(promise.future());
        });
    return Future.join(closing).mapEmpty();
  }
}
