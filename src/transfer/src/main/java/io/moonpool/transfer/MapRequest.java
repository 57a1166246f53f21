package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a connection that stands for one mapping: asks for the ticket, then stays
 * open until either side lets go. Runs on the channel's event loop.
 */
final class MapRequest extends FrameHandler {
  private final TcpEndpoint endpoint;
  private final UUID segmentId;
  private final long generation;
  private final Promise<SharedTicket> ticket = Promise.promise();
  private final Promise<Void> closed = Promise.promise();
  private final MemorySegment bytes = MemorySegment.ofArray(new byte[SharedTicket.BYTES]);
  private volatile @Nullable ChannelHandlerContext context;
  private Wire.@Nullable Answer answer;
  private boolean greeted;

  MapRequest(LoopScratch scratch, TcpEndpoint endpoint, UUID segmentId, long generation) {
    super(scratch, Wire.ANSWER_BYTES);
    this.endpoint = endpoint;
    this.segmentId = segmentId;
    this.generation = generation;
  }

  /** What the peer answered, or why there is no answer. */
  Future<SharedTicket> ticket() {
    return ticket.future();
  }

  /** Completes when the connection is closed: the mapping is void. */
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
    Wire.writeRequest(out, new Wire.Request(Wire.OPEN_SHARED, 1, segmentId, generation, 0, 0, 0));
    active.writeAndFlush(out, active.voidPromise());
    active.fireChannelActive();
  }

  @Override
  long onHeader(ByteBuf header) throws ProtocolException {
    Wire.Answer next = Wire.readAnswer(header);
    answer = next;
    long expected = greeted && next.refusal() == Refusal.NONE ? SharedTicket.BYTES : 0;
    if (next.length() != expected || ticket.future().isComplete()) {
      throw new ProtocolException("an answer that nobody asked for");
    }
    return expected;
  }

  @Override
  @Nullable MemorySegment target() {
    return bytes;
  }

  @Override
  void onPayloadRead() throws ProtocolException {
    Wire.Answer done = answer;
    if (done == null) {
      throw new IllegalStateException("payload without an answer");
    }
    if (done.refusal() != Refusal.NONE) {
      ticket.tryFail(done.refusal().exception());
      close();
    } else if (greeted) {
      ticket.tryComplete(SharedTicket.decode(bytes));
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

  /** Lets go of the mapping, or gives up waiting for it. Any thread. */
  void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }
}
