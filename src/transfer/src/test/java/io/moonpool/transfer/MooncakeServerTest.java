package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server for clients of Mooncake, against correct, confused and hostile ones. */
class MooncakeServerTest {
  private static final int SEGMENT_BYTES = 64 << 20;
  private static final int REJECTED = 1;

  private Bed node;
  private Bed.Segment segment;
  private long base;

  @BeforeEach
  void start() {
    start(TransferConfig.node("127.0.0.1", 0));
  }

  private void start(TransferConfig config) {
    node = new Bed(config.withTransports(List.of("tcp")).withMooncake(MooncakePorts.ANY), true);
    segment = node.segment(SEGMENT_BYTES, 7);
    base = mount(7);
  }

  /** Mounts the segment for clients of Mooncake; answers its address. */
  private long mount(long generation) {
    MooncakeEndpoint announced = node.transports.announceToMooncake(segment.id);
    assertThat(announced.protocol()).isEqualTo("tcp");
    assertThat(announced.endpoint())
        .isEqualTo("127.0.0.1:" + node.transports.mooncakePorts().handshake());
    node.transports.activate(segment.id, generation);
    node.transports.activateForMooncake(segment.id, generation, announced.base());
    return announced.base();
  }

  @AfterEach
  void stop() {
    segment.close();
    node.close();
  }

  private MooncakeSocket data() throws IOException {
    return new MooncakeSocket(node.transports.mooncakePorts().data());
  }

  private MooncakeSocket handshake() throws IOException {
    return new MooncakeSocket(node.transports.mooncakePorts().handshake());
  }

  private MooncakeCounters counters() {
    return node.transports.mooncakeCounters();
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }

  private boolean holds(long offset, byte[] bytes) {
    return segment
            .region
            .memory()
            .asSlice(offset, bytes.length)
            .mismatch(MemorySegment.ofArray(bytes))
        == -1;
  }

  @Test
  void aHandshakeTellsPortAndMemory() throws IOException {
    try (MooncakeSocket client = handshake()) {
      JsonObject told = new JsonObject(client.greet("{\"name\":\"client\",\"protocol\":\"tcp\"}"));
      assertThat(told.getInteger("tcp_data_port"))
          .isEqualTo(node.transports.mooncakePorts().data());
      assertThat(told.getInteger("tcp_proto_version")).isEqualTo(2);
      assertThat(told.getString("protocol")).isEqualTo("tcp");
      assertThat(told.getString("name"))
          .isEqualTo("127.0.0.1:" + node.transports.mooncakePorts().handshake());
      JsonObject buffer = told.getJsonArray("buffers").getJsonObject(0);
      assertThat(buffer.getLong("addr")).isEqualTo(base);
      assertThat(buffer.getLong("length")).isEqualTo(SEGMENT_BYTES);
    }
    assertThat(counters().handshakes()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, 16 << 10, 100_001, 20 << 20})
  void whatIsWrittenIsReadAgain(int size) throws IOException {
    byte[] bytes = random(size);
    try (MooncakeSocket client = data()) {
      assertThat(client.write(base + 4321, bytes)).isZero();
      assertThat(holds(4321, bytes)).isTrue();
      assertThat(client.get(base + 4321, size)).isEqualTo(bytes);
    }
    await().untilAsserted(() -> assertThat(counters().readBytes()).isEqualTo(size));
    assertThat(counters().writtenBytes()).isEqualTo(size);
    assertThat(counters().writes()).isOne();
    assertThat(counters().rejected()).isZero();
  }

  @Test
  void requestsFollowEachOtherOnOneConnection() throws IOException {
    byte[] bytes = random(1000);
    try (MooncakeSocket client = data()) {
      for (int i = 0; i < 100; i++) {
        client.ask(MooncakeSocket.WRITE, bytes.length, base + i * 1000L).send(bytes);
        client.ask(MooncakeSocket.READ, bytes.length, base + i * 1000L);
      }
      for (int i = 0; i < 100; i++) {
        assertThat(client.status()).isZero();
        assertThat(client.status()).isZero();
        assertThat(client.read(1000)).isEqualTo(bytes);
      }
    }
  }

  @Test
  void addressesOutsideAreRejectedAndTheConnectionStaysInStep() throws IOException {
    byte[] bytes = random(100);
    long end = base + SEGMENT_BYTES;
    try (MooncakeSocket client = data()) {
      for (long address :
          new long[] {base - 1, end - 99, end, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
        assertThat(client.write(address, bytes)).as("write at %x", address).isEqualTo(REJECTED);
        assertThat(client.ask(MooncakeSocket.READ, 100, address).status())
            .as("read at %x", address)
            .isEqualTo(REJECTED);
      }
      for (long size : new long[] {SEGMENT_BYTES + 1, Long.MAX_VALUE, -1}) {
        assertThat(client.ask(MooncakeSocket.READ, size, base).status()).isEqualTo(REJECTED);
      }
      assertThat(client.write(end - 100, bytes)).isZero();
      assertThat(client.get(end - 100, 100)).isEqualTo(bytes);
    }
    assertThat(counters().rejected()).isEqualTo(17);
    assertThat(counters().malformed()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {SEGMENT_BYTES + 1, 1L << 40, Long.MAX_VALUE, -1})
  void aWriteThatIsMuchTooLongIsRejectedAndItsConnectionClosed(long size) throws IOException {
    try (MooncakeSocket client = data()) {
      assertThat(client.ask(MooncakeSocket.WRITE, size, base).status()).isEqualTo(REJECTED);
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void noAddressIsUsedAgain() throws IOException {
    byte[] bytes = random(500);
    Set<Long> seen = new HashSet<>(Set.of(base));
    try (MooncakeSocket client = data()) {
      client.write(base, bytes);
      for (int generation = 8; generation < 50; generation++) {
        long before = base;
        base = mount(generation);
        assertThat(seen.add(base)).isTrue();
        assertThat(Math.abs(base - before)).isGreaterThan(SEGMENT_BYTES);
        assertThat(client.write(before, random(400))).isEqualTo(REJECTED);
        assertThat(client.ask(MooncakeSocket.READ, 1, before).status()).isEqualTo(REJECTED);
        assertThat(client.get(base, 500)).isEqualTo(bytes);
      }
    }
  }

  @Test
  void anAttemptToMountThatWasNotTakenLeadsNowhere() throws IOException {
    long unused = node.transports.announceToMooncake(segment.id).base();
    try (MooncakeSocket client = data()) {
      assertThat(client.write(unused, random(10))).isEqualTo(REJECTED);
      assertThat(client.write(base, random(10))).isZero();
    }
    // The same mount again, as after an answer that was lost.
    node.transports.activateForMooncake(segment.id, 7, base);
    try (MooncakeSocket client = data()) {
      assertThat(client.write(base, random(10))).isZero();
    }
    assertThatThrownBy(() -> node.transports.activateForMooncake(segment.id, 8, base + (1L << 50)))
        .hasMessageContaining("has not announced");
  }

  @Test
  void anUnmountEndsAWriteInTheMiddle() throws IOException {
    byte[] bytes = random(1 << 20);
    try (MooncakeSocket client = data()) {
      client.ask(MooncakeSocket.WRITE, 2L << 20, base).send(bytes);
      await().until(() -> holds(0, bytes));
      Bed.await(node.transports.unregister(segment.id));
      MemorySegment memory = segment.region.memory();
      memory.fill((byte) 0);
      client.send(bytes);
      assertThat(client.status()).isEqualTo(REJECTED);
      assertThat(client.ask(MooncakeSocket.READ, 1, base).status()).isEqualTo(REJECTED);
      assertThat(holds(0, new byte[SEGMENT_BYTES])).isTrue();
    }
  }

  @Test
  void anUnmountCutsOffAReaderThatHangs() throws IOException {
    try (MooncakeSocket client = data()) {
      client.ask(MooncakeSocket.READ, SEGMENT_BYTES, base);
      client.status();
      Future<Void> gone = node.transports.unregister(segment.id);
      Bed.await(gone);
      segment.region.memory().fill((byte) 1);
      assertThatThrownBy(() -> client.read(SEGMENT_BYTES)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatIsNoRequestClosesItsConnectionOnly() throws IOException {
    List<byte[]> nonsense = new ArrayList<>();
    nonsense.add(MooncakeSocket.header(0, 10, base));
    nonsense.add(MooncakeSocket.header(1, 10, base));
    nonsense.add(MooncakeSocket.header(0x82, 10, base));
    nonsense.add(MooncakeSocket.header(0xff, 10, base));
    nonsense.add("GET / HTTP/1.1\r\nHost: there\r\n\r\n".getBytes());
    try (MooncakeSocket healthy = data()) {
      for (byte[] bytes : nonsense) {
        try (MooncakeSocket client = data()) {
          assertThat(client.send(bytes).isClosedByPeer()).isTrue();
        }
      }
      assertThat(healthy.write(base, random(10))).isZero();
    }
    assertThat(counters().malformed()).isEqualTo(nonsense.size());
  }

  private static byte[] greeting(long length, int type) {
    return ByteBuffer.allocate(16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(length)
        .put((byte) type)
        .array();
  }

  @Test
  void whatIsNoHandshakeClosesItsConnectionOnly() throws IOException {
    List<byte[]> nonsense =
        List.of(
            greeting(0, 1),
            greeting(1, 1),
            greeting(-1, 1),
            greeting(Long.MAX_VALUE, 1),
            greeting((4L << 20) + 1, 1),
            greeting(8, 0),
            greeting(8, 2));
    for (byte[] bytes : nonsense) {
      try (MooncakeSocket client = handshake()) {
        assertThat(client.send(bytes).isClosedByPeer()).isTrue();
      }
    }
    assertThat(counters().malformed()).isEqualTo(nonsense.size());
    try (MooncakeSocket client = handshake()) {
      client.greet("{}");
      assertThat(client.send(greeting(8, 1)).isClosedByPeer()).as("a second one").isTrue();
    }
  }

  @Test
  void randomBytesDoNoHarm() throws IOException {
    byte[] kept = random(1000);
    try (MooncakeSocket client = data()) {
      client.write(base, kept);
    }
    Random random = new Random(42);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[1 + random.nextInt(200)];
      random.nextBytes(bytes);
      try (MooncakeSocket client = i % 2 == 0 ? data() : handshake()) {
        client.send(bytes);
      }
    }
    try (MooncakeSocket client = data()) {
      assertThat(client.get(base, 1000)).isEqualTo(kept);
    }
    await().untilAsserted(() -> assertThat(node.transports.mooncakeConnections()).isZero());
  }

  @Test
  void connectionsAreLimited() throws IOException {
    stop();
    start(TransferConfig.node("127.0.0.1", 0).withMaxConnections(3));
    List<MooncakeSocket> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      clients.add(data());
      assertThat(clients.get(i).write(base, random(10))).isZero();
    }
    try (MooncakeSocket fourth = data()) {
      assertThat(fourth.isClosedByPeer()).isTrue();
    }
    assertThat(node.transports.refusedMooncakeConnections()).isOne();
    try (MooncakeSocket client = handshake()) {
      assertThat(client.greet("{}")).contains("tcp_data_port");
    }
    for (MooncakeSocket client : clients) {
      client.close();
    }
  }

  @Test
  void aReaderThatDoesNotReadHoldsUpNobody() throws IOException {
    byte[] bytes = random(1000);
    try (MooncakeSocket lazy = data();
        MooncakeSocket client = data()) {
      for (int i = 0; i < 2_000; i++) {
        lazy.ask(MooncakeSocket.READ, SEGMENT_BYTES, base);
      }
      assertThat(client.write(base, bytes)).isZero();
      assertThat(client.get(base, 1000)).isEqualTo(bytes);
    }
    await().untilAsserted(() -> assertThat(node.transports.mooncakeConnections()).isZero());
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    int taken = node.transports.mooncakePorts().handshake();
    assertThatThrownBy(
            () ->
                Bed.await(
                    Transports.start(
                        node.vertx,
                        TransferConfig.node("127.0.0.1", 0)
                            .withTransports(List.of("tcp"))
                            .withMooncake(new MooncakePorts(taken, 0)))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("port " + taken);
  }
}
