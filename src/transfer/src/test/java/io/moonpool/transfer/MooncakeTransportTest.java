package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
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

/** Transfers to and from memory that a client of Mooncake lends, and one that misbehaves. */
class MooncakeTransportTest {
  private static final int BYTES = 32 << 20;

  private MooncakeOwner owner;
  private PeerSegment segment;
  private Bed client;

  @BeforeEach
  void start() throws IOException {
    owner = new MooncakeOwner(BYTES);
    segment = peer(owner.endpoint().toEndpoint());
    client =
        new Bed(
            TransferConfig.client()
                .withTransports(List.of("tcp"))
                .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(60)),
            true);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    owner.close();
  }

  private static PeerSegment peer(SegmentEndpoint... endpoints) {
    return new PeerSegment(UUID.randomUUID(), 7, BYTES, List.of(endpoints));
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }

  private static byte[] bytes(MemorySegment memory) {
    return memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
  }

  private void assertPutAndGot(int size, long offset) {
    byte[] value = random(size);
    client.put(MemorySegment.ofArray(value), segment, offset);
    byte[] stored = Arrays.copyOfRange(owner.memory, (int) offset, (int) offset + size);
    assertThat(stored).isEqualTo(value);
    try (Arena arena = Arena.ofShared()) {
      assertThat(bytes(client.get(arena, segment, offset, size))).isEqualTo(value);
    }
  }

  private void assertFails(ErrorCode code, String message) {
    assertThatThrownBy(() -> client.put(MemorySegment.ofArray(random(1_000)), segment, 0))
        .isInstanceOfSatisfying(
            StoreException.class, failure -> assertThat(failure.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4_096, 16 << 10, 100_001, 4 << 20, 21_000_000})
  void whatIsPutIsThereAndComesBack(int size) {
    assertPutAndGot(size, 12_345);
    assertThat(client.transports.choice(segment)).isEqualTo("mooncake");
    assertThat(client.transports.counters().get("mooncake").putBytes()).isEqualTo(size);
    assertThat(client.transports.counters().get("mooncake").getBytes()).isEqualTo(size);
  }

  @Test
  void nativeMemoryIsPutToo() {
    byte[] value = random(9_000_000);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment local = arena.allocate(value.length);
      local.copyFrom(MemorySegment.ofArray(value));
      client.put(local, segment, 0);
    }
    assertThat(Arrays.copyOf(owner.memory, value.length)).isEqualTo(value);
  }

  @Test
  void manyAtOnceShareFewConnectionsAndOneHandshake() {
    List<Future<Void>> puts = new ArrayList<>();
    byte[] value = random(2_000);
    Bed.await(
        client.onLoop(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                puts.add(
                    client.transports.put(
                        MemorySegment.ofArray(value), segment, i * 2_000L, Bed.soon()));
              }
              return Future.join(puts);
            }));
    for (int i = 0; i < 1_000; i++) {
      assertThat(Arrays.copyOfRange(owner.memory, i * 2_000, (i + 1) * 2_000)).isEqualTo(value);
    }
    assertThat(owner.connections.get()).isBetween(1, 8);
    assertThat(owner.handshakes.get()).isOne();
  }

  @Test
  void anOwnerMayCloseAfterEachRequest() {
    owner.behaviour = (in, out) -> owner.serve(in, out, 1);
    for (int i = 0; i < 50; i++) {
      assertPutAndGot(1_000 + i, i);
    }
    assertPutAndGot(21_000_000, 0);
  }

  @Test
  void anOwnerMayServeItsDataAtAnotherPortLater() throws IOException {
    assertPutAndGot(1_000, 0);
    owner.moveData();
    assertPutAndGot(2_000, 0);
    assertThat(owner.handshakes.get()).isGreaterThan(1);
  }

  @Test
  void whatIsOutsideTheSegmentIsNotAskedFor() {
    assertThatThrownBy(() -> client.put(MemorySegment.ofArray(new byte[10]), segment, BYTES - 9))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("outside");
    assertThat(owner.handshakes.get()).isZero();
  }

  @Test
  void anAddressThatTheOwnerRejectsIsAFailure() throws IOException {
    try (MooncakeOwner other = new MooncakeOwner(100)) {
      segment = peer(other.endpoint().toEndpoint());
      assertFails(ErrorCode.TRANSFER_FAIL, "rejects the address");
    }
  }

  @Test
  void aLargePutThatIsRejectedAtOnceEndsAtOnce() {
    owner.behaviour =
        (in, out) -> {
          in.readFully(new byte[24]);
          out.write(MooncakeOwner.status(1));
          in.read();
          in.readFully(new byte[BYTES]);
        };
    assertThatThrownBy(() -> client.put(MemorySegment.ofArray(random(20_000_000)), segment, 0))
        .hasMessageContaining("rejects the address");
  }

  @Test
  void anOwnerThatHangsCostsTheDeadlineAtMost() {
    owner.behaviour = (in, out) -> in.readFully(new byte[BYTES]);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
    assertThatThrownBy(
            () ->
                Bed.await(
                    client.onLoop(
                        () ->
                            client.transports.put(
                                MemorySegment.ofArray(random(1_000)), segment, 0, deadline))))
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.LEASE_EXPIRED));
    // Without a near deadline it is the time that an operation may take.
    assertFails(ErrorCode.TRANSFER_FAIL, "did not answer in time");
    owner.behaviour = (in, out) -> owner.serve(in, out, Integer.MAX_VALUE);
    assertPutAndGot(1_000, 0);
  }

  @Test
  void whatIsNoStatusIsAFailure() {
    owner.behaviour =
        (in, out) -> {
          in.readFully(new byte[1_024]);
          out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          in.read();
        };
    assertFails(ErrorCode.TRANSFER_FAIL, "does not speak the protocol");
    owner.behaviour =
        (in, out) -> {
          in.readFully(new byte[1_024]);
          out.write(MooncakeOwner.status(9));
          in.read();
        };
    assertFails(ErrorCode.TRANSFER_FAIL, "status 9");
    owner.behaviour = (in, out) -> in.readFully(new byte[100]);
    assertFails(ErrorCode.TRANSFER_FAIL, "broke");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing",
        "[]",
        "{}",
        "{\"protocol\":\"rdma\",\"tcp_data_port\":1000,\"tcp_proto_version\":2}",
        "{\"protocol\":\"tcp\",\"tcp_data_port\":0,\"tcp_proto_version\":2}",
        "{\"protocol\":\"tcp\",\"tcp_data_port\":70000,\"tcp_proto_version\":2}",
        "{\"protocol\":\"tcp\",\"tcp_data_port\":4294968296,\"tcp_proto_version\":2}",
        "{\"protocol\":\"tcp\",\"tcp_data_port\":\"many\",\"tcp_proto_version\":2}",
        "{\"protocol\":\"tcp\",\"tcp_data_port\":1000,\"tcp_proto_version\":1}",
        "{\"protocol\":\"tcp\",\"tcp_data_port\":1000}"
      })
  void aHandshakeThatTellsNoUsablePortIsAFailure(String said) {
    owner.greeting = said;
    assertFails(ErrorCode.TRANSFER_FAIL, "cannot be reached");
  }

  @Test
  void anOwnerThatIsGoneIsAFailure() throws IOException {
    owner.close();
    assertFails(ErrorCode.TRANSFER_FAIL, "no connection");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma|127.0.0.1:1", "tcp|segment_client_0", "tcp|host:0", "tcp|:1000"})
  void anOwnerThatIsNotReachedByTcpIsAFailure(String told) {
    String[] parts = told.split("\\|");
    segment = peer(new MooncakeEndpoint(1, parts[0], parts[1]).toEndpoint());
    assertFails(ErrorCode.TRANSFER_FAIL, "not reached by tcp");
  }

  @Test
  void nodesAreNotReachedByWhatIsForOthers() {
    segment = peer(new SegmentEndpoint("shm", new byte[] {1}), owner.endpoint().toEndpoint());
    assertFails(ErrorCode.TRANSFER_FAIL, "no transport of this process");
    assertThat(client.transports.choice(segment)).isEqualTo("none");
  }

  @Test
  void aNodeIsReachedByMooncakesTransportAsItsClientsAre() {
    try (Bed node =
        new Bed(
            TransferConfig.node("127.0.0.1", 0)
                .withTransports(List.of("tcp"))
                .withMooncake(MooncakePorts.ANY),
            true)) {
      Bed.Segment lent = node.segment(BYTES, 7);
      MooncakeEndpoint announced = node.transports.announceToMooncake(lent.id);
      node.transports.activateForMooncake(lent.id, 7, announced.base());
      segment = peer(announced.toEndpoint());
      byte[] value = random(10_000_000);
      client.put(MemorySegment.ofArray(value), segment, 77);
      try (Arena arena = Arena.ofShared()) {
        assertThat(bytes(client.get(arena, segment, 77, value.length))).isEqualTo(value);
      }
      Bed.await(node.transports.unregister(lent.id));
      assertFails(ErrorCode.TRANSFER_FAIL, "rejects the address");
      lent.region.close();
    }
  }
}
