package io.moonpool.master.loop;

import io.moonpool.protocol.frame.ConnectionLimit;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Closes connections beyond the limit of their port as soon as they are accepted. */
final class AcceptGate extends ChannelInboundHandlerAdapter {
  private final PortLimits limits;

  AcceptGate(PortLimits limits) {
    this.limits = limits;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ConnectionLimit limit = limit(context.channel());
    if (limit != null) {
      Channel accepted = (Channel) message;
      if (!limit.tryOpen()) {
        accepted.unsafe().closeForcibly(); // it has no loop yet
        return;
      }
      accepted.closeFuture().addListener(closed -> limit.closed());
    }
    context.fireChannelRead(message);
  }

  private @Nullable ConnectionLimit limit(Channel server) {
    return server.localAddress() instanceof InetSocketAddress address
        ? limits.of(address.getPort())
        : null;
  }
}
