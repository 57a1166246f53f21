package io.moonpool.protocol.mooncake;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.call.Answer;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameHeader;
import io.moonpool.protocol.wire.Form;
import io.moonpool.protocol.wire.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded requests and answers are decoded, and encoded again to the same bytes. */
class ExchangeTest {
  private static final int LIMIT = 1 << 20;

  static List<Exchange> exchanges() throws IOException {
    return Exchange.all();
  }

  @Test
  void allWereFound() throws IOException {
    assertThat(Exchange.all()).hasSize(18);
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  void requestsAreEncodedToTheSameBytes(Exchange exchange) {
    Call<?, ?> call = exchange.described();
    ByteBuf frame = Unpooled.wrappedBuffer(exchange.request());
    assertThat(frame.getIntLE(8)).isEqualTo(call.functionId());
    ByteBuf body = frame.slice(FrameHeader.REQUEST_BYTES, frame.getIntLE(12));
    assertThat(recoded(call.request(), body, FrameHeader.REQUEST_BYTES)).isEqualTo(body);
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  void answersAreEncodedToTheSameBytes(Exchange exchange) {
    ByteBuf frame = Unpooled.wrappedBuffer(exchange.response());
    ByteBuf body = frame.slice(FrameHeader.RESPONSE_BYTES, frame.getIntLE(8));
    assertThat(recoded(exchange.described().answer(), body)).isEqualTo(body);
  }

  private static <Q> ByteBuf recoded(Message<Q> message, ByteBuf body, int headroom) {
    Q decoded = message.decode(body.duplicate());
    ByteBuf encoded =
        message.encode(UnpooledByteBufAllocator.DEFAULT, headroom, LIMIT, decoded, form(body));
    return encoded.slice(headroom, encoded.writerIndex() - headroom);
  }

  private static <R> ByteBuf recoded(Answer<R> answer, ByteBuf body) {
    R decoded = answer.decode(body.duplicate());
    return answer.encode(UnpooledByteBufAllocator.DEFAULT, 0, LIMIT, decoded, form(body));
  }

  private static Form form(ByteBuf body) {
    return Form.of(body, Form.LITERAL);
  }
}
