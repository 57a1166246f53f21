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
 * and range and against its deadline, and the generation and the deadline again before every piece
 * of a payload; answers in order. What is refused is read and dropped, so the connection stays in
 * step.
 *
 * <p>Runs on the channel's event loop, but for the methods that say "any thread".
 */
final class DataServerConnection extends ServerConnection {
  private static final Logger LOG = LoggerFactory.getLogger(DataServerConnection.class);

  /** Answers waiting to be sent at which no more requests are read. */
  private static final int MAX_WAITING = 256;

  private final DataServer server;
  private boolean greeted;

  /** The segment that the peer maps as long as this connection is open. */
  private @Nullable UUID mapped;

  /** The ticket of UCX that the peer holds as long as this connection is open. */
  private UcxSegments.@Nullable Visit visit;

  // The request under way; segment and target are null when it has been refused.
  private Wire.@Nullable Request request;
  private Refusal refusal = Refusal.NONE;
  private @Nullable Lent lent;
  private @Nullable MemorySegment target;
  private @Nullable MemorySegment ticket;

  DataServerConnection(DataServer server, LoopScratch scratch) {
    super(server.config(), scratch, Wire.REQUEST_BYTES, Wire.ANSWER_BYTES, MAX_WAITING);
    this.server = server;
  }

  @Override
  void opened() {
    server.opened(this);
  }

  @Override
  boolean holdsSomething() {
    return mapped != null || visit != null;
  }

  @Override
  long onHeader(ByteBuf bytes) throws ProtocolException {
    Wire.Request next = Wire.readRequest(bytes);
    request = next;
    if (!greeted && next.opcode() != Wire.HELLO) {
      throw new ProtocolException("a request without a greeting");
    }
    return switch (next.opcode()) {
      case Wire.HELLO -> {
        greeted = next.segmentId().getMostSignificantBits() == server.instance();
        refusal = greeted ? Refusal.NONE : Refusal.WRONG_SERVER;
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
      case Wire.OPEN_SHARED -> {
        openShared(next);
        yield 0;
      }
      case Wire.OPEN_UCX -> {
        openUcx(next);
        yield 0;
      }
      case Wire.LEAVE_UCX -> {
        leaveUcx();
        yield 0;
      }
      default -> throw new ProtocolException("opcode " + next.opcode());
    };
  }

  private void openShared(Wire.Request next) throws ProtocolException {
    if (mapped != null) {
      throw new ProtocolException("a second mapping on one connection");
    }
    SharedSegments.Offer offer = server.shared().open(next.segmentId(), next.generation(), this);
    refusal = offer.refusal();
    ticket = offer.ticket();
    if (refusal == Refusal.NONE) {
      mapped = next.segmentId();
    }
  }

  private void openUcx(Wire.Request next) throws ProtocolException {
    if (visit != null) {
      throw new ProtocolException("a second ticket on one connection");
    }
    UcxSegments segments = server.ucx();
    if (segments == null) {
      refusal = Refusal.NOT_OFFERED;
      return;
    }
    UcxSegments.Offer offer = segments.open(next.segmentId(), next.generation(), this);
    refusal = offer.refusal();
    ticket = offer.ticket();
    visit = offer.visit();
  }

  private void leaveUcx() {
    UcxSegments.Visit held = visit;
    if (held != null) {
      held.left();
    }
  }

  /** Asks for the ticket of UCX that the peer holds. Any thread. */
  void revoke() {
    onLoop(
        () -> {
          add(new TcpAnswer(Wire.REVOKED, Refusal.WITHDRAWN, null, null));
          send();
        });
  }

  private void enter(Wire.Request next) {
    Lent found = server.lent(next.segmentId());
    if (found == null) {
      refusal = Refusal.UNKNOWN_SEGMENT;
      return;
    }
    if (next.deadline() - System.nanoTime() < 0) {
      refusal = Refusal.DEADLINE_PASSED;
      return;
    }
    if (next.length() > Wire.MAX_PAYLOAD) {
      refusal = Refusal.OUT_OF_RANGE;
      return;
    }
    refusal = found.enter(next.generation(), next.offset(), next.length());
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
      stop(Refusal.WITHDRAWN);
    } else if (now.deadline() - System.nanoTime() < 0) {
      stop(Refusal.DEADLINE_PASSED);
    }
    return target;
  }

  /** Stops touching the segment; what still comes of the payload is dropped. */
  private void stop(Refusal reason) {
    refusal = reason;
    target = null;
    Lent current = lent;
    lent = null;
    if (current != null) {
      current.leave();
    }
  }

  @Override
  void abandon(Lent withdrawn) {
    onLoop(
        () -> {
          if (withdrawn.equals(lent)) {
            stop(Refusal.WITHDRAWN);
          }
        });
  }

  @Override
  void onPayloadRead() {
    Wire.Request done = request;
    if (done == null) {
      throw new IllegalStateException("payload without a request");
    }
    Lent used = lent;
    if (done.opcode() == Wire.GET && used != null) {
      add(new TcpAnswer(done.requestId(), Refusal.NONE, target, used));
    } else {
      if (used != null) {
        used.leave();
      }
      add(new TcpAnswer(done.requestId(), refusal, ticket, null));
    }
    request = null;
    refusal = Refusal.NONE;
    lent = null;
    target = null;
    ticket = null;
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    server.closed(this);
    stop(Refusal.WITHDRAWN);
    closeOutbox();
    UcxSegments.Visit held = visit;
    if (held != null) {
      held.closed();
    }
    UUID segment = mapped;
    if (segment != null) {
      server.shared().closed(segment, this);
    }
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    LOG.debug("data connection from {} broke", failed.channel().remoteAddress(), cause);
    failed.close();
  }

  private final class TcpAnswer extends Answer {
    private final long requestId;
    private final Refusal refusal;

    TcpAnswer(
        long requestId, Refusal refusal, @Nullable MemorySegment payload, @Nullable Lent lent) {
      super(payload, lent);
      this.requestId = requestId;
      this.refusal = refusal;
    }

    @Override
    public void writeHeader(ByteBuf out) {
      MemorySegment payload = payload();
      long length = payload == null ? 0 : payload.byteSize();
      Wire.writeAnswer(out, new Wire.Answer(refusal, requestId, System.nanoTime(), length));
    }
  }
}
