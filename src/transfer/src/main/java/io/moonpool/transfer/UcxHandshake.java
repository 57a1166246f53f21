package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a connection that stands for one {@link UcxTicket}: asks for it, hears when
 * the owner wants it back, and tells the owner when nothing is under way. Runs on the channel's
 * event loop.
 */
final class UcxHandshake extends FrameHandler {
  private static final long TICKET_REQUEST = 1;
  private static final long LEAVE_REQUEST = 2;

  private final TcpEndpoint endpoint;
  private final UUID segmentId;
  private final long generation;
  private final Promise<UcxTicket> ticket = Promise.promise();
  private final Promise<Void> revoked = Promise.promise();
  private final Promise<Void> closed = Promise.promise();
  private volatile @Nullable ChannelHandlerContext context;
  private Wire.@Nullable Answer answer;
  private @Nullable MemorySegment bytes;
  private boolean greeted;

  UcxHandshake(LoopScratch scratch, TcpEndpoint endpoint, UUID segmentId, long generation) {
    super(scratch, Wire.ANSWER_BYTES);
    this.endpoint = endpoint;
    this.segmentId = segmentId;
    this.generation = generation;
  }

  /** What the peer answered, or why there is no answer. */
  Future<UcxTicket> ticket() {
    return ticket.future();
  }

  /** Completes when the peer wants the ticket back. */
  Future<Void> revoked() {
    return revoked.future();
  }

  /** Completes when the connection is closed: the ticket is void. */
  Future<Void> closed() {
    return closed.future();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    ByteBuf out = active.alloc().directBuffer(2 * Wire.REQUEST_BYTES);
    Wire.writeRequest(
        out, new Wire.Request(Wire.HELLO, 0, new UUID(endpoint.server(), 0), 0, 0, 0, 0));
    write(out, Wire.OPEN_UCX, TICKET_REQUEST);
    active.writeAndFlush(out, active.voidPromise());
    active.fireChannelActive();
  }

  private void write(ByteBuf out, byte opcode, long requestId) {
    Wire.writeRequest(out, new Wire.Request(opcode, requestId, segmentId, generation, 0, 0, 0));
  }

  @Override
  long onHeader(ByteBuf header) throws ProtocolException {
    Wire.Answer next = Wire.readAnswer(header);
    answer = next;
    boolean isTicket =
        greeted && next.requestId() == TICKET_REQUEST && next.refusal() == Refusal.NONE;
    boolean fits = isTicket ? next.length() <= UcxTicket.MAX_BYTES : next.length() == 0;
    if (!fits || (isTicket && ticket.future().isComplete())) {
      throw new ProtocolException("an answer that nobody asked for");
    }
    bytes = MemorySegment.ofArray(new byte[(int) next.length()]);
    return next.length();
  }

  @Override
  @Nullable MemorySegment target() {
    return bytes;
  }

  @Override
  void onPayloadRead() throws ProtocolException {
    Wire.Answer done = answer;
    MemorySegment payload = bytes;
    if (done == null || payload == null) {
      throw new IllegalStateException("payload without an answer");
    }
    if (done.requestId() == Wire.REVOKED) {
      revoked.tryComplete();
    } else if (done.refusal() != Refusal.NONE) {
      ticket.tryFail(done.refusal().exception());
      close();
    } else if (done.requestId() == TICKET_REQUEST) {
      ticket.tryComplete(UcxTicket.decode(payload));
    } else {
      greeted = true;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    ticket.tryFail(new StoreException(ErrorCode.TRANSFER_FAIL, "the peer closed the connection"));
    closed.tryComplete();
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    ticket.tryFail(
        new StoreException(ErrorCode.TRANSFER_FAIL, "the connection to the peer broke: " + cause));
    failed.close();
  }

  /** Tells the owner that nothing is under way, and closes. Any thread. */
  void leave() {
    ChannelHandlerContext current = context;
    if (current != null) {
      ByteBuf out = current.alloc().directBuffer(Wire.REQUEST_BYTES);
      write(out, Wire.LEAVE_UCX, LEAVE_REQUEST);
      current.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Closes without a word: the owner has to expect accesses. Any thread. */
  void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }
}
