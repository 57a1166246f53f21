package io.moonpool.master.loop;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.transport.Transport;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** A transport that makes {@link PinnedLoopGroup}s and leaves everything else to another one. */
final class PinnedTransport implements io.vertx.core.transport.Transport, Transport {
  private final io.vertx.core.transport.Transport original;
  private final Transport delegate;
  private final LoopPlan plan;
  private final PortLimits limits = new PortLimits();
  private @Nullable PinnedLoopGroup group;

  PinnedTransport(io.vertx.core.transport.Transport original, LoopPlan plan) {
    this.original = original;
    this.delegate = original.implementation();
    this.plan = plan;
  }

  /** The loops; there once Vert.x is built. */
  PinnedLoopGroup group() {
    PinnedLoopGroup made = group;
    if (made == null) {
      throw new IllegalStateException("Vert.x was built without the master's transport");
    }
    return made;
  }

  /** What its servers may accept. */
  PortLimits limits() {
    return limits;
  }

  @Override
  public EventLoopGroup eventLoopGroup(int type, int size, ThreadFactory threads, int ioRatio) {
    if (type != IO_EVENT_LOOP_GROUP) {
      return delegate.eventLoopGroup(type, size, threads, ioRatio);
    }
    PinnedLoopGroup made = new PinnedLoopGroup(plan, threads, ioHandlerFactory());
    group = made;
    return made;
  }

  @Override
  public String name() {
    return original.name();
  }

  @Override
  public boolean available() {
    return original.available();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return original.unavailabilityCause();
  }

  @Override
  public Transport implementation() {
    return this;
  }

  @Override
  public boolean supportsDomainSockets() {
    return delegate.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return delegate.supportFileRegion();
  }

  @Override
  public boolean isAvailable() {
    return delegate.isAvailable();
  }

  @Override
  public java.net.SocketAddress convert(SocketAddress address) {
    return delegate.convert(address);
  }

  @Override
  public SocketAddress convert(java.net.SocketAddress address) {
    return delegate.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return delegate.ioHandlerFactory();
  }

  @Override
  public DatagramChannel datagramChannel() {
    return delegate.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation") // the type is part of the interface
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return delegate.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return delegate.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    ChannelFactory<? extends ServerChannel> factory = delegate.serverChannelFactory(domainSocket);
    return (ChannelFactory<ServerChannel>)
        () -> {
          ServerChannel channel = factory.newChannel();
          channel.pipeline().addLast(new AcceptGate(limits));
          return channel;
        };
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    delegate.configure(channel, options);
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    delegate.configure(options, connectTimeout, domainSocket, bootstrap);
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    delegate.configure(options, domainSocket, bootstrap);
  }
}
