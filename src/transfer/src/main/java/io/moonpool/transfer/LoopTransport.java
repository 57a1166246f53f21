package io.moonpool.transfer;

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
import java.util.concurrent.ConcurrentHashMap;

/**
 * A transport whose transfers run on the event loop of the context that started them, over
 * connections of that loop.
 *
 * @param <E> where a peer is
 * @param <T> one of its transfers
 */
abstract class LoopTransport<E, T extends PiecewiseTransfer> implements Transport {
  private final VertxInternal vertx;
  private final Map<EventLoop, LoopPeers<E, T>> loops = new ConcurrentHashMap<>();

  LoopTransport(VertxInternal vertx) {
    this.vertx = vertx;
  }

  /** A loop without peers. */
  abstract LoopPeers<E, T> loop(EventLoop eventLoop);

  /** Starts a transfer of at least one byte, within the segment, by {@link #submit}. */
  abstract void start(
      EventLoop eventLoop,
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done);

  @Override
  public final Future<Void> transfer(
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
  final void transfer(
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
    } else if (local.byteSize() == 0) {
      done.succeed();
    } else {
      start(context.nettyEventLoop(), put, local, remote, remoteOffset, deadlineNanos, done);
    }
  }

  /** Hands a transfer to the connections of a loop. */
  final void submit(EventLoop eventLoop, E endpoint, T transfer) {
    LoopPeers<E, T> present = loops.get(eventLoop);
    LoopPeers<E, T> loop = present != null ? present : loops.computeIfAbsent(eventLoop, this::loop);
    if (eventLoop.inEventLoop()) {
      loop.submit(endpoint, transfer);
    } else {
      eventLoop.execute(() -> loop.submit(endpoint, transfer));
    }
  }

  @Override
  public final Future<Void> close() {
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
