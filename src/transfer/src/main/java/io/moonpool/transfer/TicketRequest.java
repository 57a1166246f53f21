package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a connection to the owner of a segment that stands for one ticket: asks for
 * the ticket, then stays open until either side lets go. Runs on the channel's event loop.
 *
 * @param <T> the ticket
 */
abstract class TicketRequest<T> extends FrameHandler {
  /** The number of the request for the ticket. */
  static final long TICKET_REQUEST = 1;

  private final TcpEndpoint endpoint;
  private final byte opcode;
  private final UUID segmentId;
  private final long generation;
  private final Promise<Void> closed = Promise.promise();
  private volatile @Nullable ChannelHandlerContext context;

  /** Completed by the subclass when the owner has answered. */
  final Promise<T> ticket = Promise.promise();

  /** The answer that is being read. */
  Wire.@Nullable Answer answer;

  /** The owner has answered the greeting. */
  boolean greeted;

  /**
   * A request that is not sent yet.
   *
   * @param opcode asks for the ticket
   */
  TicketRequest(
      LoopScratch scratch, TcpEndpoint endpoint, byte opcode, UUID segmentId, long generation) {
    super(scratch, Wire.ANSWER_BYTES);
    this.endpoint = endpoint;
    this.opcode = opcode;
    this.segmentId = segmentId;
    this.generation = generation;
  }

  /** What the owner answered, or why there is no answer. */
  final Future<T> ticket() {
    return ticket.future();
  }

  /** Completes when the connection is closed: the ticket is void. */
  final Future<Void> closed() {
    return closed.future();
  }

  /**
   * Connects and asks. The ticket fails when there is no connection; one that is not answered in
   * the time that a connection has is closed.
   */
  final Future<Channel> send(DataConnector connector, EventLoop loop) {
    return connector
        .connect(loop, endpoint, this)
        .onFailure(
            cause ->
                ticket.tryFail(
                    new StoreException(
                        ErrorCode.TRANSFER_FAIL,
                        "no connection to the peer: " + cause.getMessage())))
        .onSuccess(
            channel ->
                loop.schedule(
                    () -> {
                      if (!ticket.future().isComplete()) {
                        close();
                      }
                    },
                    connector.config().connectTimeout().toMillis(),
                    TimeUnit.MILLISECONDS));
  }

  @Override
  public final void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public final void channelActive(ChannelHandlerContext active) {
    ByteBuf out = active.alloc().directBuffer(2 * Wire.REQUEST_BYTES);
    Wire.writeRequest(
        out, new Wire.Request(Wire.HELLO, 0, new UUID(endpoint.server(), 0), 0, 0, 0, 0));
    write(out, opcode, TICKET_REQUEST);
    active.writeAndFlush(out, active.voidPromise());
    active.fireChannelActive();
  }

  /** Writes a request about the segment. */
  final void write(ByteBuf out, byte about, long requestId) {
    Wire.writeRequest(out, new Wire.Request(about, requestId, segmentId, generation, 0, 0, 0));
  }

  @Override
  public final void channelInactive(ChannelHandlerContext inactive) {
    ticket.tryFail(new StoreException(ErrorCode.TRANSFER_FAIL, "the peer closed the connection"));
    closed.tryComplete();
    inactive.fireChannelInactive();
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
    ticket.tryFail(
        new StoreException(ErrorCode.TRANSFER_FAIL, "the connection to the peer broke: " + cause));
    failed.close();
  }

  /** The connection, once there is one. Any thread. */
  final @Nullable ChannelHandlerContext context() {
    return context;
  }

  /** Closes the connection, or gives up waiting for it. Any thread. */
  final void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }
}
