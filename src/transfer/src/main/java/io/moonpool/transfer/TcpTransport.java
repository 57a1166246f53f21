package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Put and get over TCP, to any host. The server's side runs on the event loops of its Vert.x
 * instance.
 */
final class TcpTransport extends LoopTransport<TcpEndpoint, Transfer> {
  static final String NAME = "tcp";

  private final DataConnector connector;
  private final @Nullable DataServer server;

  /**
   * Makes the transport.
   *
   * @param server null when this process lends nothing
   */
  TcpTransport(VertxInternal vertx, DataConnector connector, @Nullable DataServer server) {
    super(vertx);
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
  LoopClient loop(EventLoop eventLoop) {
    return new LoopClient(eventLoop, connector);
  }

  @Override
  void start(
      EventLoop eventLoop,
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    TcpEndpoint endpoint;
    try {
      endpoint = remote.address();
    } catch (IllegalArgumentException e) {
      done.fail(
          new StoreException(ErrorCode.TRANSFER_FAIL, e.getMessage() + ": upgrade this process"));
      return;
    }
    submit(
        eventLoop, endpoint, new Transfer(put, local, remote, remoteOffset, deadlineNanos, done));
  }
}
