package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server against clients that are slow, late, confused or gone. */
class DataServerTest {
  private static final int SEGMENT_BYTES = 64 << 20;
  private static final int HALF = 100_000;

  private Bed node;
  private Bed.Segment segment;
  private TcpEndpoint endpoint;

  @BeforeEach
  void start() {
    node = new Bed(TransferConfig.node("127.0.0.1", 0).withTransports(List.of("tcp")), true);
    segment = node.segment(SEGMENT_BYTES, 7);
    endpoint = TcpEndpoint.decode(segment.peer.endpoints().getFirst());
  }

  @AfterEach
  void stop() {
    segment.close();
    node.close();
  }

  private RawPeer connect() throws IOException {
    return RawPeer.connect(endpoint).greet(endpoint);
  }

  private Wire.Request put(long id, long offset, long length, long deadline) {
    return new Wire.Request(Wire.PUT, id, segment.id, 7, offset, length, deadline);
  }

  private Wire.Request get(long id, long offset, long length) {
    return new Wire.Request(Wire.GET, id, segment.id, 7, offset, length, soon());
  }

  private static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  private static byte[] ones(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  private MemorySegment memory(long offset, long length) {
    return segment.region.memory().asSlice(offset, length);
  }

  private void awaitOnes(long offset, int length) {
    MemorySegment expected = MemorySegment.ofArray(ones(length));
    await().until(() -> memory(offset, length).mismatch(expected) == -1);
  }

  private void assertZero(long offset, int length) {
    assertThat(memory(offset, length).mismatch(MemorySegment.ofArray(new byte[length])))
        .isEqualTo(-1);
  }

  private static void assertAnswer(RawPeer client, long id, Refusal refusal) throws IOException {
    Wire.Answer answer = client.readAnswer();
    assertThat(answer.requestId()).isEqualTo(id);
    assertThat(answer.refusal()).isEqualTo(refusal);
  }

  private void assertStillInStep(RawPeer client) throws IOException {
    client.send(new Wire.Request(Wire.GET, 99, segment.id, 7, 0, 10, soon()));
    Wire.Answer answer = client.readAnswer();
    assertThat(answer.requestId()).isEqualTo(99);
  }

  @Test
  void stopsWritingAtTheDeadlineInTheMiddleOfAPayload() throws IOException {
    try (RawPeer client = connect()) {
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
      client.send(put(1, 5, 2 * HALF, deadline));
      client.send(ones(HALF));
      awaitOnes(5, HALF);
      await().until(() -> System.nanoTime() - deadline > 0);
      client.send(ones(HALF));
      assertAnswer(client, 1, Refusal.DEADLINE_PASSED);
      assertZero(5 + HALF, HALF);
      client.send(put(2, 5, 10, soon()));
      client.send(new byte[10]);
      assertAnswer(client, 2, Refusal.NONE);
      assertZero(5, 10);
    }
  }

  @Test
  void stopsWritingWhenTheSegmentIsUnregisteredInTheMiddleOfAPayload() throws IOException {
    try (RawPeer client = connect()) {
      client.send(put(1, 0, 2 * HALF, soon()));
      client.send(ones(HALF));
      awaitOnes(0, HALF);
      Bed.await(node.transports.unregister(segment.id));
      client.send(ones(HALF));
      assertAnswer(client, 1, Refusal.WITHDRAWN);
      assertZero(HALF, HALF);
      client.send(put(2, 0, 10, soon()));
      client.send(new byte[10]);
      assertAnswer(client, 2, Refusal.UNKNOWN_SEGMENT);
    }
  }

  @Test
  void stopsWritingWhenTheSegmentIsMountedAgainInTheMiddleOfAPayload() throws IOException {
    try (RawPeer client = connect()) {
      client.send(put(1, 0, 2 * HALF, soon()));
      client.send(ones(HALF));
      awaitOnes(0, HALF);
      node.transports.activate(segment.id, 8);
      client.send(ones(HALF));
      assertAnswer(client, 1, Refusal.WITHDRAWN);
      assertZero(HALF, HALF);
    }
  }

  @Test
  void unregistersAlthoughAClientDoesNotReadWhatItAskedFor() throws IOException {
    try (RawPeer client = connect()) {
      for (int i = 0; i < 8; i++) {
        client.send(get(i, 0, Wire.MAX_PAYLOAD));
      }
      client.read(100_000);
      Bed.await(node.transports.unregister(segment.id));
      client.readToEnd();
    }
  }

  @Test
  void servesAnyFragmentation() throws IOException {
    try (RawPeer client = connect()) {
      ByteBuf bytes = Unpooled.buffer();
      for (int i = 0; i < 20; i++) {
        Wire.writeRequest(bytes, put(i, i * 100L, 100, soon()));
        bytes.writeBytes(ones(100));
      }
      byte[] all = Arrays.copyOf(bytes.array(), bytes.writerIndex());
      Random random = new Random(5);
      for (int at = 0; at < all.length; ) {
        int length = Math.min(1 + random.nextInt(90), all.length - at);
        client.send(Arrays.copyOfRange(all, at, at + length));
        at += length;
      }
      for (int i = 0; i < 20; i++) {
        assertAnswer(client, i, Refusal.NONE);
      }
      awaitOnes(0, 2000);
    }
  }

  @Test
  void answersInOrderAcrossRefusals() throws IOException {
    try (RawPeer client = connect()) {
      client.send(put(1, SEGMENT_BYTES - 5, 10, soon()));
      client.send(ones(10));
      client.send(new Wire.Request(Wire.PUT, 2, UUID.randomUUID(), 7, 0, 10, soon()));
      client.send(ones(10));
      client.send(get(3, Long.MAX_VALUE - 3, 10));
      client.send(get(4, 0, -1));
      client.send(get(5, 0, Wire.MAX_PAYLOAD + 1));
      client.send(new Wire.Request(Wire.GET, 6, segment.id, 6, 0, 10, soon()));
      client.send(new Wire.Request(Wire.GET, 7, segment.id, 7, 0, 10, System.nanoTime() - 1));
      client.send(new Wire.Request(Wire.OPEN_SHARED, 8, segment.id, 7, 0, 0, 0));
      client.send(get(9, 0, 3));
      assertAnswer(client, 1, Refusal.OUT_OF_RANGE);
      assertAnswer(client, 2, Refusal.UNKNOWN_SEGMENT);
      assertAnswer(client, 3, Refusal.OUT_OF_RANGE);
      assertAnswer(client, 4, Refusal.OUT_OF_RANGE);
      assertAnswer(client, 5, Refusal.OUT_OF_RANGE);
      assertAnswer(client, 6, Refusal.WRONG_GENERATION);
      assertAnswer(client, 7, Refusal.DEADLINE_PASSED);
      assertAnswer(client, 8, Refusal.UNKNOWN_SEGMENT);
      assertAnswer(client, 9, Refusal.NONE);
      assertThat(client.read(3)).containsExactly(0, 0, 0);
    }
  }

  @Test
  void refusesAGreetingForAnotherServer() throws IOException {
    try (RawPeer client = RawPeer.connect(endpoint)) {
      client.send(new Wire.Request(Wire.HELLO, 0, new UUID(endpoint.server() + 1, 0), 0, 0, 0, 0));
      assertAnswer(client, 0, Refusal.WRONG_SERVER);
      client.send(get(1, 0, 10));
      client.readToEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 7, 77, -1})
  void closesOnAnUnknownRequest(byte opcode) throws IOException {
    try (RawPeer client = connect()) {
      client.send(new Wire.Request(opcode, 1, segment.id, 7, 0, 0, soon()));
      client.readToEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Wire.MAX_PAYLOAD + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void closesOnAnImpossiblePayload(long length) throws IOException {
    try (RawPeer client = connect()) {
      client.send(put(1, 0, length, soon()));
      client.readToEnd();
    }
  }

  @Test
  void closesOnARequestWithoutAGreeting() throws IOException {
    try (RawPeer client = RawPeer.connect(endpoint)) {
      client.send(get(1, 0, 10));
      client.readToEnd();
    }
  }

  @Test
  void survivesRandomBytes() throws IOException {
    Random random = new Random(20260102);
    for (int i = 0; i < 60; i++) {
      try (RawPeer client = random.nextBoolean() ? connect() : RawPeer.connect(endpoint)) {
        ByteBuf bytes = Unpooled.buffer();
        // A valid request whose bytes are damaged gets further than noise does.
        Wire.writeRequest(
            bytes,
            new Wire.Request(
                (byte) random.nextInt(6),
                random.nextLong(),
                random.nextBoolean() ? segment.id : UUID.randomUUID(),
                7,
                random.nextInt(1000),
                random.nextInt(100_000),
                soon()));
        byte[] damaged = bytes.array();
        for (int flips = random.nextInt(4); flips > 0; flips--) {
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
        client.send(damaged);
        client.send(ones(random.nextInt(3000)));
      } catch (IOException e) {
        // The server closed in the middle.
      }
    }
    try (RawPeer client = connect()) {
      assertStillInStep(client);
    }
  }

  @Test
  void forgetsAClientThatVanishesInTheMiddleOfAPayload() throws IOException {
    try (RawPeer client = connect()) {
      client.send(put(1, 0, 2 * HALF, soon()));
      client.send(ones(HALF));
      awaitOnes(0, HALF);
    }
    // Nothing holds the segment any more.
    Bed.await(node.transports.unregister(segment.id));
    assertThat(segment.region.memory().get(ValueLayout.JAVA_BYTE, HALF)).isZero();
  }

  @Test
  void keepsServingOthersWhileAClientFloodsIt() throws IOException {
    try (RawPeer flooder = connect();
        RawPeer other = connect()) {
      // Requests whose answers nobody reads: the server stops reading them at some point.
      Thread flood =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 100_000; i++) {
                        flooder.send(get(i, 0, 100_000));
                      }
                    } catch (IOException e) {
                      // Closed at the end of the test.
                    }
                  });
      for (int i = 0; i < 100; i++) {
        other.send(get(i, 0, 1000));
        assertAnswer(other, i, Refusal.NONE);
        other.read(1000);
      }
      flood.interrupt();
    }
  }
}
