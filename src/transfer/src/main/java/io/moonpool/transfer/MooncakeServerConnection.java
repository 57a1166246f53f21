package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of a data connection of a client of Mooncake, which carries one request after
 * the other. The address is checked when a request comes, and before every piece of a write whether
 * the segment is still lent there. What is rejected is read and dropped, so that the connection
 * stays in step; one that would have to drop too much is closed instead.
 *
 * <p>Runs on the channel's event loop, but for the methods that say "any thread".
 */
final class MooncakeServerConnection extends ServerConnection {
  private static final Logger LOG = LoggerFactory.getLogger(MooncakeServerConnection.class);

  /** Answers waiting to be sent at which no more requests are read. */
  private static final int MAX_WAITING = 16;

  /** The longest rejected write that is read to its end. */
  private static final long MAX_DROPPED = 64L << 20;

  private final MooncakeServer server;

  // The request under way; mount and target are null when it has been rejected.
  private MooncakeWire.@Nullable Header request;
  private MooncakeAddresses.@Nullable Mounted mount;
  private @Nullable MemorySegment target;

  MooncakeServerConnection(MooncakeServer server, LoopScratch scratch) {
    super(
        server.config(),
        scratch,
        MooncakeWire.HEADER_BYTES,
        MooncakeWire.STATUS_BYTES,
        MAX_WAITING);
    this.server = server;
  }

  @Override
  void opened() {
    server.opened(this);
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    MooncakeWire.Header next = MooncakeWire.readHeader(bytes);
    request = next;
    Refusal refusal = enter(next);
    if (refusal != Refusal.NONE) {
      rejected(next, refusal);
    }
    if (next.opcode() == MooncakeWire.READ) {
      return 0;
    }
    if (mount == null && Long.compareUnsigned(next.size(), MAX_DROPPED) > 0) {
      rejectForGood();
      return Long.MAX_VALUE; // nothing of it is a request, until it is closed
    }
    return next.size();
  }

  private Refusal enter(MooncakeWire.Header wanted) {
    MooncakeAddresses.Mounted found = server.find(wanted.address());
    if (found == null) {
      return Refusal.UNKNOWN_SEGMENT;
    }
    long offset = wanted.address() - found.base();
    Refusal refusal = found.lent().enter(found.generation(), offset, wanted.size());
    if (refusal == Refusal.NONE) {
      mount = found;
      target = found.lent().memory().asSlice(offset, wanted.size());
    }
    return refusal;
  }

  private void rejected(MooncakeWire.Header wanted, Refusal refusal) {
    ChannelHandlerContext current = context();
    if (current != null) {
      server.rejected(current.channel(), wanted, refusal);
    }
  }

  private void rejectForGood() {
    ChannelHandlerContext current = context();
    if (current != null) {
      add(new Status(MooncakeWire.REJECTED, null, null));
      send();
      current.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  @Nullable MemorySegment target() {
    MooncakeAddresses.Mounted current = mount;
    if (current != null && !current.lent().admits(current.generation())) {
      stop();
    }
    return target;
  }

  /** Stops touching the segment; what still comes of a write is dropped. */
  private void stop() {
    target = null;
    MooncakeAddresses.Mounted current = mount;
    mount = null;
    if (current != null) {
      current.lent().leave();
    }
  }

  @Override
  void abandon(Lent withdrawn) {
    onLoop(
        () -> {
          MooncakeAddresses.Mounted current = mount;
          MooncakeWire.Header wanted = request;
          if (current != null && wanted != null && withdrawn.equals(current.lent())) {
            stop();
            rejected(wanted, Refusal.WITHDRAWN);
          }
        });
  }

  @Override
  void onPayloadRead() {
    MooncakeWire.Header done = request;
    if (done == null) {
      throw new IllegalStateException("bytes without a request");
    }
    MooncakeAddresses.Mounted used = mount;
    if (used == null) {
      add(new Status(MooncakeWire.REJECTED, null, null));
    } else if (done.opcode() == MooncakeWire.READ) {
      add(new Status(MooncakeWire.DONE, target, used.lent()));
    } else {
      used.lent().leave();
      server.counters().writes.increment();
      server.counters().writtenBytes.add(done.size());
      add(new Status(MooncakeWire.DONE, null, null));
    }
    request = null;
    mount = null;
    target = null;
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    server.closed(this);
    stop();
    closeOutbox();
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    if (cause instanceof ProtocolException wrong) {
      server.malformed(failed.channel(), wrong);
    } else {
      LOG.debug("data connection from {} broke", failed.channel().remoteAddress(), cause);
    }
    failed.close();
  }

  private final class Status extends Answer {
    private final int code;

    Status(int code, @Nullable MemorySegment payload, @Nullable Lent lent) {
      super(payload, lent);
      this.code = code;
    }

    @Override
    public void writeHeader(ByteBuf out) {
      MooncakeWire.writeStatus(out, code);
    }

    @Override
    void sent(long bytes) {
      server.counters().reads.increment();
      server.counters().readBytes.add(bytes);
    }
  }
}
