package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Put and get in segments that clients of Mooncake lend, by that system's {@code tcp} transport.
 * The segments of this process are lent to such clients by {@link MooncakeServer}, not here.
 *
 * <p>The owner knows neither generations nor deadlines. An address of a mount that is gone is
 * rejected unless the owner has memory there again, and what the owner had received when a put was
 * given up it may still write a moment later.
 */
final class MooncakeTransport extends LoopTransport<MooncakeEndpoint, MooncakeTransfer> {
  static final String NAME = SegmentEndpoint.MOONCAKE;

  private final VertxInternal vertx;
  private final DataConnector connector;
  private final Supplier<byte[]> description;

  /**
   * Makes the transport.
   *
   * @param description what this process says in a handshake
   */
  MooncakeTransport(VertxInternal vertx, DataConnector connector, Supplier<byte[]> description) {
    super(vertx);
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
  MooncakeLoop loop(EventLoop eventLoop) {
    return new MooncakeLoop(eventLoop, vertx, connector, description);
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
    MooncakeEndpoint endpoint = remote.mooncake();
    if (endpoint == null || !endpoint.isTcp()) {
      done.fail(
          new StoreException(
              ErrorCode.TRANSFER_FAIL,
              "the client of Mooncake that lends the segment is not reached by tcp: have it use"
                  + " that protocol"));
      return;
    }
    submit(
        eventLoop,
        endpoint,
        new MooncakeTransfer(put, local, endpoint.base() + remoteOffset, deadlineNanos, done));
  }
}
