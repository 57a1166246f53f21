package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a {@link UcxTicket}, and stands for it afterwards: hears when the owner wants it back,
 * and tells the owner when nothing is under way. Who closes it without that word leaves the owner
 * to expect accesses.
 */
final class UcxHandshake extends TicketRequest<UcxTicket> {
  private static final long LEAVE_REQUEST = 2;

  private final Promise<Void> revoked = Promise.promise();
  private @Nullable MemorySegment bytes;

  UcxHandshake(LoopScratch scratch, TcpEndpoint endpoint, UUID segmentId, long generation) {
    super(scratch, endpoint, Wire.OPEN_UCX, segmentId, generation);
  }

  /** Completes when the peer wants the ticket back. */
  Future<Void> revoked() {
    return revoked.future();
  }

  @Override
  long onHeader(ByteBuf header) throws ProtocolException {
    Wire.Answer next = Wire.readAnswer(header);
    answer = next;
    boolean isTicket =
        greeted && next.requestId() == TICKET_REQUEST && next.refusal() == Refusal.NONE;
    boolean fits = isTicket ? next.length() <= UcxTicket.MAX_BYTES : next.length() == 0;
    if (!fits || (isTicket && ticket().isComplete())) {
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

  /** Tells the owner that nothing is under way, and closes. Any thread. */
  void leave() {
    ChannelHandlerContext current = context();
    if (current != null) {
      ByteBuf out = current.alloc().directBuffer(Wire.REQUEST_BYTES);
      write(out, Wire.LEAVE_UCX, LEAVE_REQUEST);
      current.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
    }
  }
}
