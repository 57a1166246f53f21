package io.moonpool.protocol.frame;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.wire.MalformedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The client's end of a connection: sends calls and matches answers by sequence. */
final class FrameClientHandler extends FrameHandler {
  private final FrameClient client;
  private final int maxBodyBytes;
  private final IntObjectHashMap<PendingCall<?>> inFlight = new IntObjectHashMap<>();
  private long inFlightBytes;
  private int nextSequence;
  private long framesReceived;
  private String closeReason = "the connection was closed by the peer";

  FrameClientHandler(
      FrameClient client, FrameCounters counters, ContextInternal context, int maxBodyBytes) {
    super(counters, context, new FrameTurns());
    this.client = client;
    this.maxBodyBytes = maxBodyBytes;
  }

  /** Sends a call. */
  void send(PendingCall<?> call) {
    int sequence = nextSequence++;
    inFlight.put(sequence, call);
    inFlightBytes += call.frameBytes();
    counters.add(FrameCounter.IN_FLIGHT, 1);
    send(call.takeFrame(sequence, framesReceived));
  }

  int inFlight() {
    return inFlight.size();
  }

  long inFlightBytes() {
    return inFlightBytes;
  }

  /** True when the peer has answered a call on this connection. */
  boolean hasAnswered() {
    return framesReceived > 0;
  }

  /** True when nothing was received since that call of this connection was sent. */
  boolean isSilentSince(PendingCall<?> call) {
    return framesReceived == call.framesBefore();
  }

  /**
   * Takes out the calls whose deadline has passed.
   *
   * @param none later than every deadline
   * @return the earliest deadline of the others, or {@code none}
   */
  long expire(long nowNanos, long none, List<PendingCall<?>> expired) {
    long earliest = none;
    int before = expired.size();
    List<Integer> sequences = new ArrayList<>();
    for (IntObjectMap.PrimitiveEntry<PendingCall<?>> entry : inFlight.entries()) {
      long deadlineNanos = entry.value().deadlineNanos();
      if (deadlineNanos - nowNanos <= 0) {
        expired.add(entry.value());
        inFlightBytes -= entry.value().frameBytes();
        sequences.add(entry.key());
      } else if (deadlineNanos - earliest < 0) {
        earliest = deadlineNanos;
      }
    }
    sequences.forEach(inFlight::remove);
    counters.add(FrameCounter.IN_FLIGHT, before - expired.size());
    return earliest;
  }

  @Override
  boolean saturated() {
    return false;
  }

  @Override
  boolean takeFrame(ByteBuf in) {
    int start = in.readerIndex();
    int readable = in.readableBytes();
    if (readable < FrameHeader.RESPONSE_BYTES) {
      return false;
    }
    if (in.getByte(start) != FrameHeader.MAGIC || in.getByte(start + 1) != FrameHeader.VERSION) {
      return reject("the peer does not speak this protocol: check host and port");
    }
    long bodyBytes = in.getUnsignedIntLE(start + FrameHeader.RESPONSE_BODY_AT);
    long frameBytes = bodyBytes + in.getUnsignedIntLE(start + FrameHeader.RESPONSE_ATTACHMENT_AT);
    if (frameBytes > maxBodyBytes) {
      return reject("an answer of " + frameBytes + " bytes exceeds the limit of " + maxBodyBytes);
    }
    frameBytes += FrameHeader.RESPONSE_BYTES;
    if (readable < frameBytes) {
      return false;
    }
    counters.add(FrameCounter.FRAMES_IN, 1);
    framesReceived++;
    int error = in.getUnsignedByte(start + FrameHeader.ERROR_AT);
    PendingCall<?> call = inFlight.remove(in.getIntLE(start + FrameHeader.SEQUENCE_AT));
    if (call == null) {
      counters.add(FrameCounter.LATE_ANSWERS, 1);
      in.skipBytes((int) frameBytes);
      return true;
    }
    counters.add(FrameCounter.IN_FLIGHT, -1);
    inFlightBytes -= call.frameBytes();
    int bodyStart = start + FrameHeader.RESPONSE_BYTES;
    ByteBuf body = in.slice(bodyStart, (int) bodyBytes);
    in.skipBytes((int) frameBytes);
    if (error != FrameHeader.NO_ERROR) {
      fail(call, error, body);
    } else if (!call.complete(body)) {
      counters.add(FrameCounter.MALFORMED_BODIES, 1);
    }
    return !isClosed();
  }

  private boolean reject(String why) {
    counters.add(FrameCounter.MALFORMED_FRAMES, 1);
    closeReason = why;
    closeNow();
    return false;
  }

  private static void fail(PendingCall<?> call, int error, ByteBuf body) {
    String text;
    try {
      text = FrameHeader.ERROR_TEXT.decode(body);
    } catch (MalformedMessage e) {
      text = "the peer answered with the error " + error;
    }
    ErrorCode code =
        switch (error) {
          case FrameHeader.BAD_ARGUMENTS -> ErrorCode.DESERIALIZE_FAIL;
          case FrameHeader.UNKNOWN_FUNCTION -> ErrorCode.NOT_SUPPORTED;
          default -> ErrorCode.INTERNAL_ERROR;
        };
    call.fail(code, text);
  }

  /** Closes the connection. */
  void close(String reason) {
    closeReason = reason;
    closeNow();
  }

  @Override
  void onClosed() {
    List<PendingCall<?>> lost = new ArrayList<>(inFlight.values());
    inFlight.clear();
    counters.add(FrameCounter.IN_FLIGHT, -lost.size());
    client.disconnected(this);
    for (PendingCall<?> call : lost) {
      call.fail(ErrorCode.RPC_FAIL, closeReason);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, @Nullable Throwable cause) {
    close("the connection broke: " + Objects.requireNonNullElse(cause, "unknown reason"));
  }
}
