package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of one data connection. Checks every request against the segment's generation
 * and range and against its deadline, the deadline and the generation again before every piece of a
 * payload; answers in order. What is refused is read and dropped, so the connection stays in step.
 *
 * <p>Runs on the channel's event loop.
 */
final class DataServerConnection extends FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(DataServerConnection.class);

  /** Answers waiting to be sent at which no more requests are read. */
  private static final int MAX_WAITING = 256;

  private final DataServer server;
  private @Nullable ChannelHandlerContext context;
  private @Nullable Outbox outbox;

  // The request under way; the segment is null when it has been refused.
  private Wire.@Nullable Request request;
  private Refusal refusal = Refusal.NONE;
  private @Nullable Lent lent;
  private @Nullable MemorySegment target;

  DataServerConnection(DataServer server, LoopScratch scratch) {
    super(scratch, Wire.REQUEST_BYTES);
    this.server = server;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outbox = new Outbox(added.channel(), Wire.ANSWER_BYTES);
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    server.opened(this);
    active.fireChannelActive();
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    Wire.Request next = Wire.readRequest(bytes);
    request = next;
    return switch (next.opcode()) {
      case Wire.HELLO -> {
        refusal =
            next.segmentId().getMostSignificantBits() == server.instance()
                ? Refusal.NONE
                : Refusal.WRONG_SERVER;
        yield 0;
      }
      case Wire.PUT -> {
        if (next.length() < 0 || next.length() > Wire.MAX_PAYLOAD) {
          throw new ProtocolException("a payload of " + next.length() + " bytes");
        }
        enter(next);
        yield next.length();
      }
      case Wire.GET -> {
        enter(next);
        yield 0;
      }
      default -> throw new ProtocolException("opcode " + next.opcode());
    };
  }

  private void enter(Wire.Request next) {
    Lent found = server.lent(next.segmentId());
    if (found == null) {
      refusal = Refusal.UNKNOWN_SEGMENT;
      return;
    }
    refusal =
        next.deadline() - System.nanoTime() < 0
            ? Refusal.DEADLINE_PASSED
            : found.enter(next.generation(), next.offset(), next.length());
    if (refusal == Refusal.NONE) {
      lent = found;
      target = found.memory().asSlice(next.offset(), next.length());
    }
  }

  @Override
  @Nullable MemorySegment target() {
    Lent current = lent;
    Wire.Request now = request;
    if (current == null || now == null) {
      return null;
    }
    if (!current.admits(now.generation())) {
      refuse(Refusal.WITHDRAWN);
    } else if (now.deadline() - System.nanoTime() < 0) {
      refuse(Refusal.DEADLINE_PASSED);
    }
    return target;
  }

  /** Stops touching the segment; what still comes of the payload is dropped. */
  private void refuse(Refusal reason) {
    refusal = reason;
    target = null;
    Lent current = lent;
    lent = null;
    if (current != null) {
      current.leave();
    }
  }

  /** Lets go of a segment that was withdrawn or is mounted under another generation. Any thread. */
  void abandon(UUID segmentId) {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.executor().execute(() -> abandonNow(segmentId));
    }
  }

  private void abandonNow(UUID segmentId) {
    Lent current = lent;
    Wire.Request now = request;
    if (current != null
        && now != null
        && current.id().equals(segmentId)
        && !current.admits(now.generation())) {
      refuse(Refusal.WITHDRAWN);
    }
  }

  @Override
  void onPayloadRead() {
    Wire.Request done = request;
    Outbox out = outbox;
    if (done == null || out == null) {
      throw new IllegalStateException("payload without a request");
    }
    request = null;
    Lent used = lent;
    MemorySegment bytes = target;
    lent = null;
    target = null;
    if (done.opcode() == Wire.GET && used != null) {
      out.add(new Answer(done, Refusal.NONE, used, bytes));
    } else {
      if (used != null) {
        used.leave();
      }
      out.add(new Answer(done, refusal, null, null));
    }
    refusal = Refusal.NONE;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext read) {
    send();
    read.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    send();
    changed.fireChannelWritabilityChanged();
  }

  private void send() {
    Outbox out = outbox;
    ChannelHandlerContext current = context;
    if (out != null && current != null) {
      out.pump();
      // A client that asks and does not read the answers must not fill the memory with them.
      current.channel().config().setAutoRead(out.size() < MAX_WAITING);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    server.closed(this);
    refuse(Refusal.WITHDRAWN);
    Outbox out = outbox;
    if (out != null) {
      out.close();
    }
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    LOG.debug("data connection from {} broke", failed.channel().remoteAddress(), cause);
    failed.close();
  }

  /** Closes the connection. Any thread. */
  void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }

  /** An answer on its way out; it holds the segment until the bytes of a get are written. */
  private record Answer(
      Wire.Request request, Refusal refusal, @Nullable Lent lent, @Nullable MemorySegment payload)
      implements Outgoing {
    @Override
    public boolean dropped() {
      return false;
    }

    @Override
    public void writeHeader(ByteBuf out) {
      long length = payload == null ? 0 : payload.byteSize();
      Wire.writeAnswer(
          out, new Wire.Answer(refusal, request.requestId(), System.nanoTime(), length));
    }

    @Override
    public void released(boolean written) {
      if (lent != null) {
        lent.leave();
      }
    }
  }
}
