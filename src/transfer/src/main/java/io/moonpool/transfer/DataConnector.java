package io.moonpool.transfer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/** Opens data connections. Any thread. */
final class DataConnector {
  private final VertxInternal vertx;
  private final ChannelSetup setup;

  DataConnector(VertxInternal vertx, ChannelSetup setup) {
    this.vertx = vertx;
    this.setup = setup;
  }

  /** The scratch of an event loop. */
  LoopScratch scratch(EventLoop loop) {
    return setup.scratch(loop);
  }

  TransferConfig config() {
    return setup.config();
  }

  /**
   * Connects on that event loop; the handler then owns the connection.
   *
   * @return completes on the event loop, with a failure when no connection could be made
   */
  Future<Channel> connect(EventLoop eventLoop, TcpEndpoint endpoint, FrameHandler handler) {
    Promise<Channel> promise = Promise.promise();
    resolve(endpoint)
        .onComplete(
            resolved ->
                eventLoop.execute(
                    () -> {
                      if (resolved.failed()) {
                        promise.fail(resolved.cause());
                      } else {
                        open(eventLoop, endpoint, resolved.result(), handler, promise);
                      }
                    }));
    return promise.future();
  }

  /** Looks a name up on a worker, since the JDK's resolver blocks. */
  private Future<InetAddress> resolve(TcpEndpoint endpoint) {
    byte[] literal = NetUtil.createByteArrayFromIpAddressString(endpoint.host());
    try {
      return literal != null
          ? Future.succeededFuture(InetAddress.getByAddress(literal))
          : vertx
              .executeBlocking(() -> InetAddress.getByName(endpoint.host()), false)
              .map(Objects::requireNonNull);
    } catch (java.net.UnknownHostException e) {
      return Future.failedFuture(e);
    }
  }

  private void open(
      EventLoop eventLoop,
      TcpEndpoint endpoint,
      InetAddress address,
      FrameHandler handler,
      Promise<Channel> promise) {
    new Bootstrap()
        .group(eventLoop)
        .channelFactory(vertx.transport().channelFactory(false))
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config().connectTimeout().toMillis())
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                setup.connecting(channel, endpoint, handler);
              }
            })
        .connect(new InetSocketAddress(address, endpoint.port()))
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                promise.complete(connected.channel());
              } else {
                promise.fail(connected.cause());
              }
            });
  }
}
