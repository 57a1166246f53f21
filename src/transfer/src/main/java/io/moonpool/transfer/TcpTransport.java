package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Put and get over TCP, to any host. The server's side runs on the event loops of its Vert.x
 * instance; a transfer runs on the event loop of the context that started it.
 */
public final class TcpTransport implements Transport {
  /** The name in endpoints. */
  public static final String NAME = "tcp";

  private final VertxInternal vertx;
  private final TransferConfig config;
  private final DataServer server;
  private final Map<EventLoop, LoopClient> clients = new ConcurrentHashMap<>();

  private TcpTransport(Vertx vertx, TransferConfig config) {
    this.vertx = (VertxInternal) vertx;
    this.config = config;
    this.server = new DataServer(vertx, config);
  }

  /** Listens, and returns the transport when it does. */
  public static Future<TcpTransport> start(Vertx vertx, TransferConfig config) {
    TcpTransport transport = new TcpTransport(vertx, config);
    return transport.server.listen().map(transport);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SegmentEndpoint register(Region region, UUID segmentId) {
    server.lend(segmentId, region);
    return new SegmentEndpoint(NAME, server.endpoint().encode());
  }

  @Override
  public void activate(UUID segmentId, long generation) {
    Lent lent = server.lent(segmentId);
    if (lent == null) {
      throw new IllegalStateException("segment " + segmentId + " is not registered");
    }
    lent.activate(generation);
  }

  @Override
  public Future<Void> unregister(UUID segmentId) {
    return server.withdraw(segmentId);
  }

  @Override
  public Future<Void> put(
      MemorySegment local, RemoteSegment remote, long remoteOffset, long deadlineNanos) {
    return transfer(true, local, remote, remoteOffset, deadlineNanos);
  }

  @Override
  public Future<Void> get(
      MemorySegment local, RemoteSegment remote, long remoteOffset, long deadlineNanos) {
    if (local.isReadOnly()) {
      throw new IllegalArgumentException("the local memory of a get must be writable");
    }
    return transfer(false, local, remote, remoteOffset, deadlineNanos);
  }

  private Future<Void> transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos) {
    ContextInternal context = vertx.getOrCreateContext();
    if (!Lent.inRange(remoteOffset, local.byteSize(), remote.size())) {
      return context.failedFuture(
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "bytes "
                  + remoteOffset
                  + " + "
                  + local.byteSize()
                  + " are outside the segment of "
                  + remote.size()));
    }
    if (local.byteSize() == 0) {
      return context.succeededFuture();
    }
    TcpEndpoint endpoint;
    try {
      endpoint = TcpEndpoint.decode(remote.endpoint());
    } catch (IllegalArgumentException e) {
      return context.failedFuture(
          new StoreException(ErrorCode.TRANSFER_FAIL, e.getMessage() + ": upgrade this process"));
    }
    Promise<Void> promise = context.promise();
    EventLoop loop = context.nettyEventLoop();
    Transfer transfer = new Transfer(put, local, remote, remoteOffset, deadlineNanos, promise);
    LoopClient client = clients.computeIfAbsent(loop, key -> new LoopClient(vertx, key, config));
    if (loop.inEventLoop()) {
      client.submit(endpoint, transfer);
    } else {
      loop.execute(() -> client.submit(endpoint, transfer));
    }
    return promise.future();
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
    closing.add(server.close());
    return Future.all(closing).mapEmpty();
  }
}
