package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
final class MooncakeServerConnection extends FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(MooncakeServerConnection.class);

  /** Answers waiting to be sent at which no more requests are read. */
  private static final int MAX_WAITING = 16;

  /** The longest rejected write that is read to its end. */
  private static final long MAX_DROPPED = 64L << 20;

  private final MooncakeServer server;
  private volatile @Nullable ChannelHandlerContext context;
  private @Nullable Outbox outbox;
  private long writtenNanos = System.nanoTime();

  // The request under way; mount and target are null when it has been rejected.
  private MooncakeWire.@Nullable Header request;
  private MooncakeAddresses.@Nullable Mounted mount;
  private @Nullable MemorySegment target;

  /** Reads whose bytes are in the outbox or with the channel. */
  private final Set<Status> sending = new HashSet<>();

  MooncakeServerConnection(MooncakeServer server, LoopScratch scratch) {
    super(scratch, MooncakeWire.HEADER_BYTES);
    this.server = server;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outbox = new Outbox(added.channel(), MooncakeWire.STATUS_BYTES, this::send);
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    server.opened(this);
    scheduleCheck(active);
    active.fireChannelActive();
  }

  private void scheduleCheck(ChannelHandlerContext current) {
    current
        .executor()
        .schedule(
            () -> check(current),
            server.config().operationTimeout().toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Closes a connection whose peer hangs in the middle of something, or has left long ago. */
  private void check(ChannelHandlerContext current) {
    if (!current.channel().isActive()) {
      return;
    }
    long now = System.nanoTime();
    TransferConfig config = server.config();
    long patience = 2 * config.operationTimeout().toNanos();
    boolean hangs =
        (insideFrame() && now - readNanos() > patience)
            || (sendsSomething() && now - writtenNanos > patience);
    boolean idle = now - readNanos() > 2 * config.idleTimeout().toNanos();
    if (hangs || (idle && !sendsSomething())) {
      current.close();
    } else {
      scheduleCheck(current);
    }
  }

  private boolean sendsSomething() {
    Outbox out = outbox;
    return !sending.isEmpty() || (out != null && out.size() > 0);
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
    ChannelHandlerContext current = context;
    if (current != null) {
      server.rejected(current.channel(), wanted, refusal);
    }
  }

  private void rejectForGood() {
    ChannelHandlerContext current = context;
    Outbox out = outbox;
    if (current != null && out != null) {
      out.add(new Status(MooncakeWire.REJECTED, null, null));
      out.pump();
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

  /** Lets go of a segment that was withdrawn or is mounted anew. Any thread. */
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

  /** Closes the connection if it still sends bytes of that segment. Any thread. */
  void cutOff(Lent withdrawn) {
    onLoop(
        () -> {
          ChannelHandlerContext current = context;
          if (current != null
              && sending.stream().anyMatch(status -> withdrawn.equals(status.lent))) {
            current.close();
          }
        });
  }

  private void onLoop(Runnable task) {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.executor().execute(task);
    }
  }

  @Override
  void onPayloadRead() {
    MooncakeWire.Header done = request;
    Outbox out = outbox;
    if (done == null || out == null) {
      throw new IllegalStateException("bytes without a request");
    }
    MooncakeAddresses.Mounted used = mount;
    if (used == null) {
      out.add(new Status(MooncakeWire.REJECTED, null, null));
    } else if (done.opcode() == MooncakeWire.READ) {
      Status status = new Status(MooncakeWire.DONE, target, used.lent());
      sending.add(status);
      out.add(status);
    } else {
      used.lent().leave();
      server.counters().writes.increment();
      server.counters().writtenBytes.add(done.size());
      out.add(new Status(MooncakeWire.DONE, null, null));
    }
    request = null;
    mount = null;
    target = null;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext read) {
    send();
    read.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    writtenNanos = System.nanoTime();
    send();
    changed.fireChannelWritabilityChanged();
  }

  private void send() {
    Outbox out = outbox;
    ChannelHandlerContext current = context;
    if (out != null && current != null) {
      if (!sendsSomething()) {
        writtenNanos = System.nanoTime();
      }
      out.pump();
      // A client that asks and does not read the answers must not fill the memory with them.
      boolean read = out.size() < MAX_WAITING;
      if (current.channel().config().isAutoRead() != read) {
        current.channel().config().setAutoRead(read);
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    server.closed(this);
    stop();
    Outbox out = outbox;
    if (out != null) {
      out.close();
    }
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

  /** A status on its way out; that of a read keeps the segment until its bytes are written. */
  private final class Status implements Outgoing {
    private final int code;
    private final @Nullable MemorySegment payload;
    private final @Nullable Lent lent;

    Status(int code, @Nullable MemorySegment payload, @Nullable Lent lent) {
      this.code = code;
      this.payload = payload;
      this.lent = lent;
    }

    @Override
    public boolean dropped() {
      return false;
    }

    @Override
    public void writeHeader(ByteBuf out) {
      MooncakeWire.writeStatus(out, code);
    }

    @Override
    public @Nullable MemorySegment payload() {
      return payload;
    }

    @Override
    public void released(boolean written) {
      writtenNanos = System.nanoTime();
      if (lent != null) {
        sending.remove(this);
        lent.leave();
        if (written && payload != null) {
          server.counters().reads.increment();
          server.counters().readBytes.add(payload.byteSize());
        }
      }
    }
  }
}
