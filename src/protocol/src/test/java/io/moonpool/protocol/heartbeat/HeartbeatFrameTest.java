package io.moonpool.protocol.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The layout, byte by byte, and that it costs no allocation. */
class HeartbeatFrameTest {
  private static final int AT = 3;

  private static ByteBuf ping() {
    ByteBuf frame = Unpooled.directBuffer(AT + HeartbeatFrame.BYTES);
    HeartbeatFrame.setPing(frame, AT, -2, 0x0102030405060708L, 9, 0x1122334455667788L);
    return frame;
  }

  @Test
  void pingHasThisLayout() {
    assertThat(ByteBufUtil.hexDump(ping(), AT, HeartbeatFrame.BYTES))
        .isEqualTo(
            "4d504842"
                + "01"
                + "01"
                + "0000"
                + "feffffff"
                + "00000000"
                + "0807060504030201"
                + "0900000000000000"
                + "8877665544332211");
  }

  @Test
  void pingIsRead() {
    ByteBuf frame = ping();

    assertThat(HeartbeatFrame.isPing(frame, AT)).isTrue();
    assertThat(HeartbeatFrame.isAnswer(frame, AT)).isFalse();
    assertThat(HeartbeatFrame.slot(frame, AT)).isEqualTo(-2);
    assertThat(HeartbeatFrame.incarnation(frame, AT)).isEqualTo(0x0102030405060708L);
    assertThat(HeartbeatFrame.sequence(frame, AT)).isEqualTo(9);
    assertThat(HeartbeatFrame.sentNanos(frame, AT)).isEqualTo(0x1122334455667788L);
  }

  @ParameterizedTest
  @EnumSource(PingStatus.class)
  void answerKeepsWhoAskedAndTellsOfTheMaster(PingStatus status) {
    ByteBuf frame = ping();

    HeartbeatFrame.setAnswer(frame, AT, status, 0x0a0b0c0d, -3);

    assertThat(HeartbeatFrame.isAnswer(frame, AT)).isTrue();
    assertThat(HeartbeatFrame.isPing(frame, AT)).isFalse();
    assertThat(HeartbeatFrame.status(frame, AT)).isEqualTo(status);
    assertThat(HeartbeatFrame.masterEpoch(frame, AT)).isEqualTo(0x0a0b0c0d);
    assertThat(HeartbeatFrame.viewVersion(frame, AT)).isEqualTo(-3);
    assertThat(HeartbeatFrame.incarnation(frame, AT)).isEqualTo(0x0102030405060708L);
    assertThat(HeartbeatFrame.sequence(frame, AT)).isEqualTo(9);
    assertThat(HeartbeatFrame.sentNanos(frame, AT)).isEqualTo(0x1122334455667788L);
    assertThat(ByteBufUtil.hexDump(frame, AT, 16))
        .isEqualTo(
            "4d504842" + "01" + "02" + "0" + status.number() + "00" + "0d0c0b0a" + "fdffffff");
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 13, 14, 15})
  void aPingEndsItsFirstHalfWithZeros(int offset) {
    ByteBuf ping = ping();
    ping.setByte(AT + offset, 0x55);
    assertThat(HeartbeatFrame.isPing(ping, AT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void everyFixedByteIsChecked(int offset) {
    ByteBuf ping = ping();
    ping.setByte(AT + offset, 0x55);
    assertThat(HeartbeatFrame.isPing(ping, AT)).isFalse();

    ByteBuf answer = ping();
    HeartbeatFrame.setAnswer(answer, AT, PingStatus.OK, 1, 2);
    answer.setByte(AT + offset, 0x55);
    assertThat(HeartbeatFrame.isAnswer(answer, AT)).isFalse();
  }

  @Test
  void statusesHaveTheirNumbers() {
    assertThat(PingStatus.ofNumber(1)).isEqualTo(PingStatus.OK);
    assertThat(PingStatus.ofNumber(2)).isEqualTo(PingStatus.NEED_REMOUNT);
    assertThat(PingStatus.ofNumber(3)).isEqualTo(PingStatus.SUSPECTED);
    assertThatThrownBy(() -> PingStatus.ofNumber(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void pingsAndAnswersAllocateNothing() {
    ByteBuf frame = ping();
    exchange(frame, 1_000); // loads classes
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    long sum = exchange(frame, 10_000);

    // One byte for each ping would be 10,000: the rest is the measurement's own.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    assertThat(sum).isEqualTo(10_000L * 9_999 / 2);
  }

  private static long exchange(ByteBuf frame, int pings) {
    long sum = 0;
    for (int i = 0; i < pings; i++) {
      HeartbeatFrame.setPing(frame, AT, i, i, i, i);
      if (HeartbeatFrame.isPing(frame, AT)) {
        HeartbeatFrame.setAnswer(frame, AT, PingStatus.OK, i, i);
      }
      if (HeartbeatFrame.isAnswer(frame, AT) && HeartbeatFrame.status(frame, AT) == PingStatus.OK) {
        sum += HeartbeatFrame.sequence(frame, AT);
      }
    }
    return sum;
  }
}
