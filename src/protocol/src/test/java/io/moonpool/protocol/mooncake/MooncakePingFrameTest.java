package io.moonpool.protocol.mooncake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameHeader;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.MooncakePingFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.mooncake.SegmentMessages.PingAnswer;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fixed layout against the description of the calls, and against recorded frames. */
class MooncakePingFrameTest {
  private static final int LIMIT = 1 << 10;
  private static final UUID ID = new UUID(0x0102030405060708L, 0x1112131415161718L);
  private static final int SEQUENCE = 0x0a0b0c0d;

  private static <Q> byte[] request(Call<Q, ?> call, Q value, Form form) {
    ByteBuf frame =
        call.request()
            .encode(
                UnpooledByteBufAllocator.DEFAULT, FrameHeader.REQUEST_BYTES, LIMIT, value, form);
    FrameHeader.setRequest(frame, call.functionId());
    frame.setIntLE(FrameHeader.SEQUENCE_AT, SEQUENCE);
    return ByteBufUtil.getBytes(frame, 0, frame.writerIndex());
  }

  private static <R> byte[] answerBody(Call<?, R> call, R value, Form form) {
    return ByteBufUtil.getBytes(
        call.answer().encode(UnpooledByteBufAllocator.DEFAULT, 0, LIMIT, value, form));
  }

  private static int bytesOf(byte[] frame) {
    return MooncakePingFrame.requestBytes(Unpooled.wrappedBuffer(frame), 0, frame.length);
  }

  private static boolean isPing(byte[] frame) {
    return MooncakePingFrame.isPing(Unpooled.wrappedBuffer(frame), 0, frame.length);
  }

  private static byte[] body(byte[] answer) {
    assertThat(Unpooled.wrappedBuffer(answer).getIntLE(FrameHeader.RESPONSE_BODY_AT))
        .isEqualTo(answer.length - FrameHeader.RESPONSE_BYTES);
    return Arrays.copyOfRange(answer, FrameHeader.RESPONSE_BYTES, answer.length);
  }

  private static byte[] pingAnswer(boolean named, PingStatus status) {
    ByteBuf out = Unpooled.buffer();
    MooncakePingFrame.writePingAnswer(out, SEQUENCE, named, status);
    return ByteBufUtil.getBytes(out);
  }

  private static byte[] serviceReady(String version, boolean named, int sequence) {
    ByteBuf out = Unpooled.buffer();
    out.writeByte(1);
    MooncakePingFrame.writeServiceReady(
        out, MooncakePingFrame.serviceReadyAnswer(version, named), sequence);
    return ByteBufUtil.getBytes(out, 1, out.writerIndex() - 1);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void pingsAreReadAsTheyAreDescribed(Form form) {
    byte[] frame = request(SegmentCalls.PING, ID, form);
    ByteBuf shifted = Unpooled.wrappedBuffer(new byte[3], frame);

    assertThat(frame[0]).isEqualTo(MooncakePingFrame.FIRST_BYTE);
    assertThat(MooncakePingFrame.requestBytes(shifted, 3, frame.length)).isEqualTo(frame.length);
    assertThat(MooncakePingFrame.isPing(shifted, 3, frame.length)).isTrue();
    assertThat(MooncakePingFrame.sequence(shifted, 3)).isEqualTo(SEQUENCE);
    assertThat(MooncakePingFrame.idMost(shifted, 3, frame.length))
        .isEqualTo(ID.getMostSignificantBits());
    assertThat(MooncakePingFrame.idLeast(shifted, 3, frame.length))
        .isEqualTo(ID.getLeastSignificantBits());
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void pingsAreAnsweredAsTheyAreDescribed(Form form) {
    boolean named = form == Form.LITERAL;
    assertThat(body(pingAnswer(named, PingStatus.OK)))
        .isEqualTo(answerBody(SegmentCalls.PING, new PingAnswer(0, PingAnswer.OK), form));
    assertThat(body(pingAnswer(named, PingStatus.NEED_REMOUNT)))
        .isEqualTo(answerBody(SegmentCalls.PING, new PingAnswer(0, PingAnswer.NEED_REMOUNT), form));
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void serviceReadyIsAsItIsDescribed(Form form) {
    byte[] frame = request(SegmentCalls.SERVICE_READY, NoArguments.NONE, form);
    assertThat(bytesOf(frame)).isEqualTo(MooncakePingFrame.SERVICE_READY_BYTES);
    assertThat(isPing(frame)).isFalse();
    String longest = "v".repeat(MooncakePingFrame.MAX_VERSION_BYTES);
    for (String version : List.of("2.0.0", "", longest, "ü")) {
      assertThat(body(serviceReady(version, form == Form.LITERAL, SEQUENCE)))
          .isEqualTo(answerBody(SegmentCalls.SERVICE_READY, version, form));
    }
    assertThatThrownBy(() -> MooncakePingFrame.serviceReadyAnswer(longest + "v", true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("255");
  }

  static List<Exchange> exchanges() throws IOException {
    return Exchange.all();
  }

  /** All frames that were recorded: those two are answered byte by byte, the others are none. */
  @ParameterizedTest
  @MethodSource("exchanges")
  void recordedFramesAreAnsweredByteByByte(Exchange exchange) {
    ByteBuf request = Unpooled.wrappedBuffer(exchange.request());
    int bytes = bytesOf(exchange.request());
    int sequence = MooncakePingFrame.sequence(request, 0);
    if (exchange.described() == SegmentCalls.PING) {
      assertThat(bytes).isEqualTo(exchange.request().length);
      assertThat(isPing(exchange.request())).isTrue();
      ByteBuf out = Unpooled.buffer();
      // What was recorded has both: the first ping of a client is told to mount again.
      int status = exchange.response()[exchange.response().length - Integer.BYTES];
      MooncakePingFrame.writePingAnswer(out, sequence, true, PingStatus.ofNumber(status));
      assertThat(ByteBufUtil.getBytes(out)).isEqualTo(exchange.response());
    } else if (exchange.described() == SegmentCalls.SERVICE_READY) {
      assertThat(bytes).isEqualTo(exchange.request().length);
      assertThat(serviceReady("2.0.0", true, sequence)).isEqualTo(exchange.response());
    } else {
      assertThat(bytes).isEqualTo(MooncakePingFrame.NONE);
    }
  }

  @Test
  void bothWereRecorded() throws IOException {
    assertThat(Exchange.all())
        .anyMatch(each -> each.described() == SegmentCalls.PING)
        .anyMatch(each -> each.described() == SegmentCalls.SERVICE_READY);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void everyByteThatIsNoValueIsChecked(Form form) {
    byte[] ping = request(SegmentCalls.PING, ID, form);
    for (int i = 0; i < ping.length; i++) {
      byte[] changed = ping.clone();
      changed[i] ^= 0x40;
      boolean value = i >= 4 && i < 8 || i >= ping.length - 16;
      boolean accepted = bytesOf(changed) == ping.length && isPing(changed);
      assertThat(accepted).as("byte %d", i).isEqualTo(value);
    }
    byte[] ready = request(SegmentCalls.SERVICE_READY, NoArguments.NONE, form);
    for (int i = 0; i < ready.length; i++) {
      byte[] changed = ready.clone();
      changed[i] ^= 0x40;
      boolean sequence = i >= 4 && i < 8;
      assertThat(bytesOf(changed) == ready.length).as("byte %d", i).isEqualTo(sequence);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 19})
  void halfAHeaderTellsNothing(int readable) {
    byte[] ping = request(SegmentCalls.PING, ID, Form.LITERAL);
    assertThat(MooncakePingFrame.requestBytes(Unpooled.wrappedBuffer(ping), 0, readable))
        .isEqualTo(MooncakePingFrame.INCOMPLETE);
  }

  @Test
  void theFirstByteTellsThemFromOtherPings() {
    assertThat(MooncakePingFrame.FIRST_BYTE).isNotEqualTo(HeartbeatFrame.FIRST_BYTE);
    assertThat(PingStatus.OK.number()).isEqualTo(PingAnswer.OK);
    assertThat(PingStatus.NEED_REMOUNT.number()).isEqualTo(PingAnswer.NEED_REMOUNT);
  }
}
