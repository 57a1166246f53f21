package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client against servers that hang, lie or die. */
class TcpClientTest {
  private static final long SEGMENT_BYTES = 1L << 30;

  private final Arena arena = Arena.ofShared();
  private ServerSocket listener;
  private Bed client;
  private PeerSegment segment;

  @BeforeEach
  void start() throws IOException {
    listener = RawPeer.listen();
    client =
        new Bed(
            TransferConfig.client()
                .withTransports(List.of("tcp"))
                .withTimeouts(
                    Duration.ofMillis(2000), Duration.ofMillis(1500), Duration.ofMillis(400)),
            true);
    TcpEndpoint endpoint = new TcpEndpoint("127.0.0.1", listener.getLocalPort(), 77);
    segment =
        new PeerSegment(
            UUID.randomUUID(),
            7,
            SEGMENT_BYTES,
            List.of(new SegmentEndpoint("tcp", endpoint.encode())));
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    listener.close();
    arena.close();
  }

  private static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  private Future<Void> put(long bytes, long deadline) {
    MemorySegment local = arena.allocate(bytes).fill((byte) 3);
    return client.onLoop(() -> client.transports.put(local, segment, 10, deadline));
  }

  private Future<Void> get(MemorySegment local, long deadline) {
    return client.onLoop(() -> client.transports.get(local, segment, 10, deadline));
  }

  private static void assertFails(Future<Void> transfer, ErrorCode code) {
    assertThatThrownBy(() -> Bed.await(transfer))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  /** Accepts a connection and answers the greeting with a clock that is so far ahead. */
  private RawPeer acceptAndGreet(long clockAhead) throws IOException {
    RawPeer peer = RawPeer.accept(listener);
    Wire.Request hello = peer.readRequest();
    assertThat(hello.opcode()).isEqualTo(Wire.HELLO);
    assertThat(hello.segmentId().getMostSignificantBits()).isEqualTo(77);
    peer.send(new Wire.Answer(Refusal.NONE, 0, System.nanoTime() + clockAhead, 0));
    return peer;
  }

  @Test
  void failsWhenNobodyListens() throws IOException {
    listener.close();
    assertFails(put(10, soon()), ErrorCode.TRANSFER_FAIL);
    assertFails(put(10_000_000, soon()), ErrorCode.TRANSFER_FAIL);
  }

  @Test
  void failsWhenThePeerDoesNotGreet() throws IOException {
    Future<Void> transfer = put(10, soon());
    try (RawPeer peer = RawPeer.accept(listener)) {
      assertFails(transfer, ErrorCode.TRANSFER_FAIL);
      peer.readToEnd();
    }
  }

  @Test
  void failsWhenThePeerDoesNotAnswer() throws IOException {
    Future<Void> small = put(10, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      assertFails(small, ErrorCode.TRANSFER_FAIL);
      // The connection has no other use and is closed.
      peer.readToEnd();
    }
  }

  @Test
  void failsWhenThePeerDoesNotTakeTheBytes() throws IOException {
    Future<Void> large = put(64 << 20, soon());
    try (RawPeer first = acceptAndGreet(0);
        RawPeer second = acceptAndGreet(0)) {
      assertFails(large, ErrorCode.TRANSFER_FAIL);
      first.readToEnd();
      second.readToEnd();
    }
  }

  @Test
  void reportsTheDeadlineWhenThatComesFirst() throws IOException {
    Future<Void> transfer = put(10, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300));
    try (RawPeer peer = acceptAndGreet(0)) {
      assertFails(transfer, ErrorCode.LEASE_EXPIRED);
    }
    assertFails(
        put(64 << 20, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200)),
        ErrorCode.LEASE_EXPIRED);
  }

  @Test
  void sendsDeadlinesOnTheServersClock() throws IOException {
    long ahead = 5_000_000_000_000L;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(600);
    Future<Void> transfer = put(10, deadline);
    try (RawPeer peer = acceptAndGreet(ahead)) {
      Wire.Request request = peer.readRequest();
      assertThat(request.opcode()).isEqualTo(Wire.PUT);
      assertThat(request.deadline()).isLessThanOrEqualTo(deadline + ahead);
      // Early by the time that the greeting's answer took, and no more.
      assertThat(request.deadline()).isGreaterThan(deadline + ahead - 500_000_000);
      peer.read(10);
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime() + ahead, 0));
      Bed.await(transfer);
    }
  }

  @Test
  void boundsWhatTheServerMayDoByTheTimeItWaits() throws IOException {
    Future<Void> transfer = put(10, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      // The client gives up long before the grant ends; the server must not act after that.
      assertThat(request.deadline() - System.nanoTime())
          .isLessThan(TimeUnit.MILLISECONDS.toNanos(1500));
      assertFails(transfer, ErrorCode.TRANSFER_FAIL);
    }
  }

  @Test
  void dropsAnAnswerThatComesTooLate() throws IOException {
    MemorySegment late = arena.allocate(50_000);
    MemorySegment inTime = arena.allocate(100);
    Future<Void> first = get(late, System.nanoTime() + 300_000_000L);
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      // This one keeps the connection open when the first is given up.
      Future<Void> second = get(inTime, soon());
      Wire.Request next = peer.readRequest();
      assertFails(first, ErrorCode.LEASE_EXPIRED);
      byte[] nines = new byte[50_000];
      Arrays.fill(nines, (byte) 9);
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime(), 50_000));
      peer.send(nines);
      peer.send(new Wire.Answer(Refusal.NONE, next.requestId(), System.nanoTime(), 100));
      peer.send(Arrays.copyOf(nines, 100));
      Bed.await(second);
    }
    assertThat(inTime.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 9);
    assertThat(late.mismatch(MemorySegment.ofArray(new byte[50_000]))).isEqualTo(-1);
  }

  @Test
  void failsOnAnAnswerThatIsNone() throws IOException {
    Future<Void> transfer = put(10, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      peer.send(new byte[Wire.ANSWER_BYTES]);
      assertFails(transfer, ErrorCode.TRANSFER_FAIL);
      peer.readToEnd();
    }
  }

  @Test
  void failsOnAnAnswerToAnotherRequestOrOfAnotherSize() throws IOException {
    Future<Void> transfer = put(10, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId() + 1, System.nanoTime(), 0));
      assertFails(transfer, ErrorCode.TRANSFER_FAIL);
    }
    MemorySegment local = arena.allocate(100);
    Future<Void> read = get(local, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime(), 101));
      assertFails(read, ErrorCode.TRANSFER_FAIL);
    }
  }

  @Test
  void failsWhenTheConnectionBreaksInsideAPayload() throws IOException {
    MemorySegment local = arena.allocate(1 << 20);
    Future<Void> read = get(local, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime(), 1 << 20));
      peer.send(new byte[300_000]);
    }
    assertFails(read, ErrorCode.TRANSFER_FAIL);
  }

  @Test
  void passesRefusalsOn() throws IOException {
    Future<Void> transfer = put(10, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      peer.send(
          new Wire.Answer(Refusal.WRONG_GENERATION, request.requestId(), System.nanoTime(), 0));
      assertThatThrownBy(() -> Bed.await(transfer)).hasMessageContaining("mounted again");
    }
  }

  @Test
  void closesAConnectionWithoutUse() throws IOException {
    Future<Void> transfer = put(10, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      peer.read(10);
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime(), 0));
      Bed.await(transfer);
      peer.readToEnd();
    }
  }

  @Test
  void connectsAgainAfterAConnectionBroke() throws IOException {
    for (int i = 0; i < 3; i++) {
      Future<Void> transfer = put(10, soon());
      try (RawPeer peer = acceptAndGreet(0)) {
        Wire.Request request = peer.readRequest();
        peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime(), 0));
        Bed.await(transfer);
      }
      // The client notices the end of the connection before it is asked for more.
      await().until(() -> client.transports.openedConnections() == 0);
    }
  }

  @Test
  void connectsAnewForWhatWaitsBehindConnectionsThatBroke() throws IOException {
    int bytes = 1 << 20;
    Future<Void> first = put(bytes, soon());
    Future<Void> second = put(bytes, soon());
    Future<Void> third = put(bytes, soon());
    // Large transfers use two connections, one frame at a time on each: the third one waits.
    try (RawPeer one = acceptAndGreet(0);
        RawPeer two = acceptAndGreet(0)) {
      one.readRequest();
      two.readRequest();
    }
    assertFails(first, ErrorCode.TRANSFER_FAIL);
    assertFails(second, ErrorCode.TRANSFER_FAIL);
    try (RawPeer peer = acceptAndGreet(0)) {
      Wire.Request request = peer.readRequest();
      peer.read(bytes);
      peer.send(new Wire.Answer(Refusal.NONE, request.requestId(), System.nanoTime(), 0));
      Bed.await(third);
    }
  }

  @Test
  void failsWhatIsUnderWayWhenItCloses() throws IOException {
    Future<Void> transfer = put(64 << 20, soon());
    try (RawPeer peer = acceptAndGreet(0)) {
      Bed.await(client.transports.close());
      assertFails(transfer, ErrorCode.TRANSFER_FAIL);
    }
    assertFails(put(10, soon()), ErrorCode.TRANSFER_FAIL);
  }

  @Test
  void doesNotReachASegmentWithoutACommonTransport() {
    PeerSegment other =
        new PeerSegment(
            segment.segmentId(), 7, 100, List.of(new SegmentEndpoint("ucx", new byte[3])));
    assertFails(
        client.transports.put(arena.allocate(1), other, 0, soon()), ErrorCode.TRANSFER_FAIL);
  }

  @Test
  void refusesADescriptorThatItCannotRead() {
    for (byte[] descriptor : new byte[][] {{}, {9}, {1, 2, 3}}) {
      PeerSegment broken =
          new PeerSegment(
              segment.segmentId(), 7, 100, List.of(new SegmentEndpoint("tcp", descriptor)));
      assertFails(
          client.transports.put(arena.allocate(1), broken, 0, soon()), ErrorCode.TRANSFER_FAIL);
    }
  }
}
