package io.moonpool.bench.heartbeat;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.frame.FrameHeader;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * Pings of the main port: frame calls, as those of clients that do not reach the heartbeat port,
 * and of those of Mooncake.
 *
 * @param <Q> the request
 * @param <R> its answer
 */
final class MainPortExchange<Q, R> implements PingExchange {
  private static final int MOST_BYTES = 1_024;

  /** What an answer says. */
  private interface Reading<R> {
    PingStatus read(R answer, int sequence) throws IOException;
  }

  private final Call<Q, R> call;
  private final Form form;
  private final IntFunction<Q> request;
  private final Reading<R> reading;
  private final byte[] header = new byte[FrameHeader.RESPONSE_BYTES];
  private final ByteBuf answerHeader = Unpooled.wrappedBuffer(header);
  private int sequence;

  private MainPortExchange(Call<Q, R> call, Form form, IntFunction<Q> request, Reading<R> reading) {
    this.call = call;
    this.form = form;
    this.request = request;
    this.reading = reading;
  }

  /** Pings of a client of Moonpool. */
  static PingExchange moonpool(int slot, long incarnation) {
    return new MainPortExchange<>(
        Calls.PING,
        Form.SHORT,
        number -> new Ping(slot, incarnation, number),
        MainPortExchange::status);
  }

  private static PingStatus status(PingAnswer answer, int sequence) throws IOException {
    if (answer.sequence() != sequence) {
      throw new IOException("the answer to ping " + answer.sequence() + ", not " + sequence);
    }
    return answer.status();
  }

  /** Pings of a client of Mooncake, with their literal, as the published clients send them. */
  static PingExchange mooncake(UUID id) {
    return new MainPortExchange<>(
        SegmentCalls.PING,
        Form.LITERAL,
        number -> id,
        (answer, number) -> PingStatus.ofNumber(answer.status()));
  }

  @Override
  public PingStatus ping(InputStream in, OutputStream out) throws IOException {
    out.write(frame(++sequence));
    PingExchange.read(in, header, header.length);
    int bytes = answerHeader.getIntLE(FrameHeader.RESPONSE_BODY_AT);
    if (header[FrameHeader.ERROR_AT] != FrameHeader.NO_ERROR
        || answerHeader.getIntLE(FrameHeader.SEQUENCE_AT) != sequence
        || bytes < 0
        || bytes > MOST_BYTES) {
      throw new IOException("not the answer to this ping");
    }
    byte[] body = new byte[bytes];
    PingExchange.read(in, body, bytes);
    return reading.read(call.answer().decode(Unpooled.wrappedBuffer(body)), sequence);
  }

  private byte[] frame(int number) {
    ByteBuf frame =
        call.request()
            .encode(
                UnpooledByteBufAllocator.DEFAULT,
                FrameHeader.REQUEST_BYTES,
                MOST_BYTES,
                request.apply(number),
                form);
    try {
      FrameHeader.setRequest(frame, call.functionId());
      frame.setIntLE(FrameHeader.SEQUENCE_AT, number);
      return ByteBufUtil.getBytes(frame);
    } finally {
      frame.release();
    }
  }
}
