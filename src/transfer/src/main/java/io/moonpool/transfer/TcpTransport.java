package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
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
import org.jspecify.annotations.Nullable;

/**
 * Put and get over TCP, to any host. The server's side runs on the event loops of its Vert.x
 * instance; a transfer runs on the event loop of the context that started it.
 */
final class TcpTransport implements Transport {
  static final String NAME = "tcp";

  private final VertxInternal vertx;
  private final DataConnector connector;
  private final @Nullable DataServer server;
  private final Map<EventLoop, LoopClient> clients = new ConcurrentHashMap<>();

  /**
   * Makes the transport.
   *
   * @param server null when this process lends nothing
   */
  TcpTransport(VertxInternal vertx, DataConnector connector, @Nullable DataServer server) {
    this.vertx = vertx;
    this.connector = connector;
    this.server = server;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SegmentEndpoint register(Region region, UUID segmentId) {
    DataServer owner = Transports.requireServing(server);
    owner.lend(segmentId, region);
    return new SegmentEndpoint(NAME, owner.endpoint().encode());
  }

  @Override
  public void activate(UUID segmentId, long generation) {
    Transports.requireWorker();
    Transports.requireServing(server).activate(segmentId, generation);
  }

  @Override
  public Future<Void> unregister(UUID segmentId) {
    DataServer owner = server;
    return owner == null ? Future.succeededFuture() : owner.withdraw(segmentId);
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
    TcpEndpoint endpoint;
    try {
      endpoint = remote.address();
    } catch (IllegalArgumentException e) {
      done.fail(
          new StoreException(ErrorCode.TRANSFER_FAIL, e.getMessage() + ": upgrade this process"));
      return;
    }
    EventLoop loop = context.nettyEventLoop();
    Transfer transfer = new Transfer(put, local, remote, remoteOffset, deadlineNanos, done);
    LoopClient client = clients.get(loop);
    if (client == null) {
      client = clients.computeIfAbsent(loop, key -> new LoopClient(key, connector));
    }
    if (loop.inEventLoop()) {
      client.submit(endpoint, transfer);
    } else {
      LoopClient there = client;
      loop.execute(() -> there.submit(endpoint, transfer));
    }
  }

  @Override
  public Future<Void> close() {
    List<Future<Void>> closing = new ArrayList<>();
    clients.forEach(
        (loop, client) -> {
          Promise<Void> promise = Promise.promise();
          loop.execute(
              () -> {
                client.close();
                promise.complete();
              });
          closing.add(promise.future());
        });
    return Future.join(closing).mapEmpty();
  }
}
