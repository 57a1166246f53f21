package io.moonpool.bench.heartbeat;

import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.frame.FrameHeader;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Pings of the main port: frame calls, as those of clients that do not reach the heartbeat port.
 */
final class MainPortExchange implements PingExchange {
  private static final int MOST_BYTES = 1_024;

  private final int slot;
  private final long incarnation;
  private final byte[] header = new byte[FrameHeader.RESPONSE_BYTES];
  private final ByteBuf answerHeader = Unpooled.wrappedBuffer(header);
  private int sequence;

  MainPortExchange(int slot, long incarnation) {
    this.slot = slot;
    this.incarnation = incarnation;
  }

  @Override
  public PingStatus ping(InputStream in, OutputStream out) throws IOException {
    out.write(request(++sequence));
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
    PingAnswer answer = Calls.PING.answer().decode(Unpooled.wrappedBuffer(body));
    if (answer.sequence() != sequence) {
      throw new IOException("the answer to ping " + answer.sequence() + ", not " + sequence);
    }
    return answer.status();
  }

  private byte[] request(int number) {
    ByteBuf frame =
        Calls.PING
            .request()
            .encode(
                UnpooledByteBufAllocator.DEFAULT,
                FrameHeader.REQUEST_BYTES,
                MOST_BYTES,
                new Ping(slot, incarnation, number),
                Form.SHORT);
    try {
      FrameHeader.setRequest(frame, Calls.PING.functionId());
      frame.setIntLE(FrameHeader.SEQUENCE_AT, number);
      return ByteBufUtil.getBytes(frame);
    } finally {
      frame.release();
    }
  }
}
