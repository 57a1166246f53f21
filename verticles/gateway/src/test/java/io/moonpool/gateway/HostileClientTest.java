package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.gateway.wire.WireAnswer;
import io.moonpool.gateway.wire.WireAnswer.WireFailure;
import io.moonpool.gateway.wire.WireBody;
import io.moonpool.gateway.wire.WireClient;
import io.moonpool.gateway.wire.WireClient.Segment;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.mooncake.MooncakeCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What no client should do harms its own connection at most. */
class HostileClientTest {
  private static final int UNKNOWN_FUNCTION = 11;
  private static final int BAD_ARGUMENTS = 4;
  private static final int HEADER = 20;
  private static final int IDLE = 1_500;
  private static GatewayMaster master;

  private WireClient bystander;
  private UUID segment;

  @BeforeAll
  static void start() {
    master = GatewayMaster.start();
  }

  @AfterAll
  static void stop() {
    master.close();
  }

  @BeforeEach
  void connect() {
    bystander = client();
    segment = UUID.randomUUID();
    Segment lent = new Segment(segment, "s", 1L << 40, 1 << 20, "127.0.0.1:1");
    bystander.mount(lent);
    bystander.mountAgain(List.of(lent));
  }

  /** Whatever happened, somebody else's connection is as it was. */
  @AfterEach
  void othersAreServed() {
    String key = "bystander-" + segment;
    assertThat(bystander.ping()).isEqualTo(1);
    bystander.putStart(key, 100);
    bystander.putEnd(key, OptionalLong.empty());
    assertThat(bystander.locate(key).places()).hasSize(1);
    bystander.unmount(segment);
    bystander.close();
  }

  private static WireClient client() {
    return new WireClient(master.port(), UUID.randomUUID(), true);
  }

  private static byte[] header(int sequence, int function, long bodyBytes, long attachmentBytes) {
    return ByteBuffer.allocate(HEADER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x15)
        .putInt(sequence)
        .putInt(function)
        .putInt((int) bodyBytes)
        .putInt((int) attachmentBytes)
        .array();
  }

  @Test
  void anUnknownFunctionIsAnError() {
    try (WireClient client = client()) {
      client.begin("NoSuchCall", "", new WireBody());
      WireAnswer answer = client.receive();
      assertThat(answer.error()).isEqualTo(UNKNOWN_FUNCTION);
      assertThat(answer.sequence()).isZero();
      assertThat(answer.typed("800c").text()).contains("no function");
      assertThat(client.serviceReady()).isEqualTo("2.0.0");
    }
  }

  /** None of the table is an unknown function: a client would lose its connection. */
  @Test
  void everyCallIsKnown() {
    try (WireClient client = client()) {
      for (Call<?, ?> call : MooncakeCalls.all()) {
        String name = call.name().substring(call.name().lastIndexOf(':') + 1);
        // Nobody takes a bare flag.
        client.begin(name, "0b", new WireBody().bool(true));
        assertThat(client.receive().error()).as(name).isEqualTo(BAD_ARGUMENTS);
      }
    }
  }

  @Test
  void aWrongTypeIsAnError() {
    try (WireClient client = client()) {
      client.begin("ExistKey", "800c", new WireBody().text("key"));
      WireAnswer answer = client.receive();
      assertThat(answer.error()).isEqualTo(BAD_ARGUMENTS);
      assertThat(answer.typed("800c").text()).contains("bad arguments");
      assertThat(client.exists("key")).isFalse();
    }
  }

  @Test
  void anotherLiteralWithTheRightCodeIsAnError() {
    byte[] body = new WireBody().text("key").text("default").encode("fd800c800cff", true);
    body[6] ^= 1;
    try (WireClient client = client()) {
      client.send(WireClient.frame(0, WireClient.functionId("ExistKey"), body));
      assertThat(client.receive().error()).isEqualTo(BAD_ARGUMENTS);
    }
  }

  @Test
  void lengthsOfFourGibibytesCloseTheConnection() {
    for (long[] lengths : new long[][] {{0xffff_ffffL, 0}, {0, 0xffff_ffffL}, {1L << 31, 8}}) {
      try (WireClient client = client()) {
        client.send(header(0, WireClient.functionId("ExistKey"), lengths[0], lengths[1]));
        assertThat(client.isClosedByPeer()).isTrue();
      }
    }
  }

  @Test
  void garbageClosesTheConnection() {
    try (WireClient client = client()) {
      client.send("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aLaterVersionClosesTheConnection() {
    byte[] later = header(0, WireClient.functionId("ServiceReady"), 0, 0);
    later[1] = 1;
    try (WireClient client = client()) {
      client.send(later);
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  /** Attachments are no part of any call; they are read over. */
  @Test
  void attachmentsAreReadOver() {
    try (WireClient client = client()) {
      byte[] frame = header(0, WireClient.functionId("ServiceReady"), 0, 5);
      client.send(Arrays.copyOf(frame, frame.length + 5));
      client.send(header(1, WireClient.functionId("ServiceReady"), 0, 0));
      assertThat(client.receive().sequence()).isZero();
      assertThat(client.receive().sequence()).isEqualTo(1);
    }
  }

  @Test
  void aFrameMayComeByteByByte() {
    try (WireClient client = client()) {
      byte[] body = new WireBody().text("slow").text("default").encode("fd800c800cff", true);
      for (byte each : WireClient.frame(7, WireClient.functionId("ExistKey"), body)) {
        client.send(new byte[] {each});
      }
      WireAnswer answer = client.receive();
      assertThat(answer.sequence()).isEqualTo(7);
      assertThat(answer.typed("870b01").expected().bool()).isFalse();
    }
  }

  @Test
  void manyCallsMayBeUnderWay() {
    try (WireClient client = client()) {
      int calls = 5_000;
      Set<Integer> sent = new HashSet<>();
      for (int i = 0; i < calls; i++) {
        sent.add(
            client.begin(
                "ExistKey", "fd800c800cff", new WireBody().text("key-" + i).text("default")));
      }
      Set<Integer> answered = new HashSet<>();
      for (int i = 0; i < calls; i++) {
        WireAnswer answer = client.receive();
        assertThat(answer.error()).isZero();
        answered.add(answer.sequence());
      }
      assertThat(answered).isEqualTo(sent);
    }
  }

  @Test
  void connectionsThatDoNothingAreNoBurden() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < IDLE; i++) {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress("127.0.0.1", master.port()), 5_000);
        idle.add(socket);
        if (i % 3 == 0) {
          // Half of a header, and no more.
          socket.getOutputStream().write(Arrays.copyOf(header(0, 1, 2, 3), 10));
        }
      }
      othersAreServedMeanwhile();
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  private void othersAreServedMeanwhile() {
    assertThat(bystander.ping()).isEqualTo(1);
    assertThat(bystander.exists("nothing")).isFalse();
    try (WireClient late = client()) {
      assertThat(late.serviceReady()).isEqualTo("2.0.0");
    }
  }

  /** Names and endpoints are in the answers to all readers, so long ones are refused, too. */
  @ParameterizedTest
  @MethodSource
  void segmentsThatCannotBeAreNotMounted(Segment segment) {
    try (WireClient client = client()) {
      assertThatThrownBy(() -> client.mount(segment)).isInstanceOf(WireFailure.class);
      client.mountAgain(List.of(segment));
      assertThatThrownBy(() -> client.statusOf(segment.id())).isInstanceOf(WireFailure.class);
    }
  }

  private static Stream<Segment> segmentsThatCannotBeAreNotMounted() {
    long base = 1L << 41;
    long size = 1 << 20;
    String endpoint = "127.0.0.1:1";
    String tooLong = "n".repeat(1_025);
    return Stream.of(
        new Segment(UUID.randomUUID(), "no address", 0, size, endpoint),
        new Segment(UUID.randomUUID(), "no size", base, 0, endpoint),
        new Segment(UUID.randomUUID(), "past the last address", -size + 1, size, endpoint),
        new Segment(UUID.randomUUID(), "of negative size", base, -1, endpoint),
        new Segment(UUID.randomUUID(), "too large", base, 1L << 50, endpoint),
        new Segment(UUID.randomUUID(), tooLong, base, size, endpoint),
        new Segment(UUID.randomUUID(), "long endpoint", base, size, tooLong),
        new Segment(UUID.randomUUID(), "long protocol", base, size, endpoint, tooLong),
        new Segment(UUID.randomUUID(), "two words", base, size, endpoint, "tcp 10.0.0.1:1"),
        new Segment(UUID.randomUUID(), "", base, size, endpoint));
  }

  @Test
  void aSegmentMayReachToTheLastAddress() {
    Segment last = new Segment(UUID.randomUUID(), "last", -(1L << 20), 1 << 20, "127.0.0.1:1");
    try (WireClient client = client()) {
      client.mountAgain(List.of(last));
      assertThat(client.statusOf(last.id())).isEqualTo(1);
      client.unmount(last.id());
    }
  }

  /** More than are mounted at once. */
  @Test
  void manySegmentsAreMountedByOneCall() {
    List<Segment> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      long base = (1L << 42) + ((long) i << 20);
      many.add(new Segment(UUID.randomUUID(), "many", base, 1 << 20, "127.0.0.1:1"));
    }
    try (WireClient client = client()) {
      client.mountAgain(many);
      assertThat(client.ping()).isEqualTo(1);
      for (Segment each : many) {
        assertThat(client.statusOf(each.id())).isEqualTo(1);
      }
      othersAreServedMeanwhile();
      many.forEach(each -> client.unmount(each.id()));
    }
  }

  /** Its requests wait in its own socket when it does not read its answers. */
  @Test
  void aClientThatReadsNoAnswersIsNotReadFrom() throws Exception {
    byte[] body = new WireBody().text("key").text("default").encode("fd800c800cff", true);
    byte[] frame = WireClient.frame(0, WireClient.functionId("ExistKey"), body);
    ByteBuffer many = ByteBuffer.allocate(frame.length * 1_000);
    for (int i = 0; i < 1_000; i++) {
      many.put(frame);
    }
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4_096);
      socket.setSendBufferSize(4_096);
      socket.connect(new InetSocketAddress("127.0.0.1", master.port()), 5_000);
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 1_000; i++) {
                        socket.getOutputStream().write(many.array());
                      }
                    } catch (IOException closed) {
                      // The test is over.
                    }
                  });
      othersAreServedMeanwhile();
      socket.close();
      writer.join();
    }
  }
}
