package io.moonpool.protocol.frame;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves frames on a TCP port. Belongs to the event-loop context that it was started on; several
 * contexts may listen on the same port, each with a server of its own, and share its connections.
 */
public final class FrameServer {
  private static final Logger LOG = LoggerFactory.getLogger(FrameServer.class);
  private static final String HANDLER = "frames";

  private final ContextInternal context;
  private final NetServer server;
  private final FrameDispatcher dispatcher;
  private final FrameLimits limits;
  private final ConnectionLimit connections;
  private final FrameCounters counters = new FrameCounters();
  private final FrameTurns turns = new FrameTurns();
  private final LogGate logGate = new LogGate();

  private FrameServer(
      ContextInternal context,
      NetServerOptions options,
      FrameDispatcher dispatcher,
      FrameLimits limits,
      ConnectionLimit connections) {
    this.context = context;
    this.dispatcher = dispatcher;
    this.limits = limits;
    this.connections = connections;
    this.server =
        context
            .owner()
            .createNetServer(
                new NetServerOptions(options).setTcpNoDelay(true).setTcpKeepAlive(true))
            .connectHandler(this::accept);
  }

  /**
   * Starts to listen. Call on an event-loop context, such as a verticle's, or on a thread that has
   * none.
   *
   * @param options host, TLS and port: 0 for any free one; a negative number for any free one that
   *     servers on other contexts share by giving the same number
   * @return completes when connections are accepted; fails when the port cannot be bound
   */
  public static Future<FrameServer> listen(
      Vertx vertx, NetServerOptions options, FrameDispatcher dispatcher, FrameLimits limits) {
    return listen(vertx, options, dispatcher, limits, ConnectionLimit.none());
  }

  /**
   * As above, with a limit of connections.
   *
   * @param connections shared by the servers that it counts together; what comes beyond it is
   *     closed at once
   */
  public static Future<FrameServer> listen(
      Vertx vertx,
      NetServerOptions options,
      FrameDispatcher dispatcher,
      FrameLimits limits,
      ConnectionLimit connections) {
    Context context = vertx.getOrCreateContext();
    if (!context.isEventLoopContext()) {
      return Future.failedFuture(
          new IllegalStateException("a frame server needs an event loop: deploy it on one"));
    }
    FrameServer frames =
        new FrameServer((ContextInternal) context, options, dispatcher, limits, connections);
    // On that context, whoever calls: the connections must belong to it.
    Promise<NetServer> listening = frames.context.promise();
    frames.context.emit(v -> frames.server.listen().onComplete(listening));
    return listening.future().map(frames);
  }

  private void accept(NetSocket socket) {
    ChannelHandlerContext last = ((NetSocketInternal) socket).channelHandlerContext();
    if (!connections.tryOpen()) {
      refuse(last.channel());
      return;
    }
    last.channel().closeFuture().addListener(closed -> connections.closed());
    last.pipeline()
        .addBefore(
            last.name(),
            HANDLER,
            new FrameServerHandler(dispatcher, limits, counters, context, turns, logGate));
  }

  private void refuse(Channel channel) {
    counters.add(FrameCounter.CONNECTIONS_REFUSED, 1);
    long suppressed = logGate.tryPass(System.nanoTime());
    if (suppressed >= 0) {
      LOG.warn(
          "refusing the connection of {}: {} are open already ({} similar lines left out)",
          channel.remoteAddress(),
          connections.most(),
          suppressed);
    }
    channel.close();
  }

  /** The port that is listened on; any thread. */
  public int port() {
    return server.actualPort();
  }

  /** Counts what happens here; any thread may read. */
  public FrameCounters counters() {
    return counters;
  }

  /** Stops listening and closes all connections of this server; any thread. */
  public Future<Void> close() {
    return server.close();
  }
}
