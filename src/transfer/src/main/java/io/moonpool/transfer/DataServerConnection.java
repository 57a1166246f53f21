package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
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
final class DataServerConnection extends FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(DataServerConnection.class);

  /** Answers waiting to be sent at which no more requests are read. */
  private static final int MAX_WAITING = 256;

  private final DataServer server;
  private volatile @Nullable ChannelHandlerContext context;
  private @Nullable Outbox outbox;
  private boolean greeted;
  private long writtenNanos = System.nanoTime();

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

  /** Answers whose payload is in the outbox or with the channel. */
  private final Set<Answer> sending = new HashSet<>();

  DataServerConnection(DataServer server, LoopScratch scratch) {
    super(scratch, Wire.REQUEST_BYTES);
    this.server = server;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outbox = new Outbox(added.channel(), Wire.ANSWER_BYTES, this::send);
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
    // Twice the client's own time, so that the client is the one who closes.
    boolean holds = mapped != null || visit != null;
    boolean idle = !holds && now - readNanos() > 2 * config.idleTimeout().toNanos();
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
          Outbox out = outbox;
          if (out != null) {
            out.add(new Answer(Wire.REVOKED, Refusal.WITHDRAWN, null, null));
            send();
          }
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

  /** Lets go of a segment that was withdrawn or is mounted under another generation. Any thread. */
  void abandon(Lent withdrawn) {
    onLoop(
        () -> {
          if (withdrawn.equals(lent)) {
            stop(Refusal.WITHDRAWN);
          }
        });
  }

  /** Closes the connection if it still sends bytes of that segment. Any thread. */
  void cutOff(Lent withdrawn) {
    onLoop(
        () -> {
          if (sending.stream().anyMatch(answer -> withdrawn.equals(answer.lent))) {
            close();
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
    Wire.Request done = request;
    Outbox out = outbox;
    if (done == null || out == null) {
      throw new IllegalStateException("payload without a request");
    }
    Lent used = lent;
    if (done.opcode() == Wire.GET && used != null) {
      Answer answer = new Answer(done.requestId(), Refusal.NONE, target, used);
      sending.add(answer);
      out.add(answer);
    } else {
      if (used != null) {
        used.leave();
      }
      out.add(new Answer(done.requestId(), refusal, ticket, null));
    }
    request = null;
    refusal = Refusal.NONE;
    lent = null;
    target = null;
    ticket = null;
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
    stop(Refusal.WITHDRAWN);
    Outbox out = outbox;
    if (out != null) {
      out.close();
    }
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

  /** Closes the connection. Any thread. */
  void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }

  /** An answer on its way out; it keeps the segment until the bytes of a get are written. */
  private final class Answer implements Outgoing {
    private final long requestId;
    private final Refusal refusal;
    private final @Nullable MemorySegment payload;
    private final @Nullable Lent lent;

    Answer(long requestId, Refusal refusal, @Nullable MemorySegment payload, @Nullable Lent lent) {
      this.requestId = requestId;
      this.refusal = refusal;
      this.payload = payload;
      this.lent = lent;
    }

    @Override
    public boolean dropped() {
      return false;
    }

    @Override
    public void writeHeader(ByteBuf out) {
      long length = payload == null ? 0 : payload.byteSize();
      Wire.writeAnswer(out, new Wire.Answer(refusal, requestId, System.nanoTime(), length));
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
      }
    }
  }
}
