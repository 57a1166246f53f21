package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.libc.AvailableMemory;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Which way transfers take, and what a process may and may not do with its segments. */
class TransportsTest {
  private static final long MIB = 1 << 20;
  private static final TransferConfig NODE = TransferConfig.node("127.0.0.1", 0);

  private static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  private static void put(Bed bed, PeerSegment segment, int value) {
    MemorySegment local = Arena.ofAuto().allocate(10).fill((byte) value);
    Bed.await(bed.onLoop(() -> bed.transports.put(local, segment, 0, soon())));
  }

  private static long puts(Bed bed, String transport) {
    return bed.transports.counters().get(transport).puts();
  }

  @Test
  void prefersSharedMemoryAndFallsBackToTcp() {
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client(), true);
        Bed.Segment segment = node.segment(MIB, 7)) {
      assertThat(segment.peer.endpoints().stream().map(SegmentEndpoint::transport))
          .containsExactly("shm", "tcp");
      put(client, segment.peer, 1);
      assertThat(puts(client, "shm")).isEqualTo(1);
      // The same segment as a process of another host sees it.
      PeerSegment elsewhere = onAnotherHost(segment.peer);
      put(client, new PeerSegment(segment.id, 7, MIB, elsewhere.endpoints()), 2);
      assertThat(puts(client, "shm")).isEqualTo(2); // Mapped already under this generation.
      node.transports.activate(segment.id, 8);
      put(client, new PeerSegment(segment.id, 8, MIB, elsewhere.endpoints()), 3);
      put(client, new PeerSegment(segment.id, 8, MIB, elsewhere.endpoints()), 4);
      assertThat(puts(client, "tcp")).isEqualTo(2);
      assertThat(client.transports.counters().get("shm").failures()).isZero();
      assertThat(segment.region.memory().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 4);
    }
  }

  private static PeerSegment onAnotherHost(PeerSegment segment) {
    List<SegmentEndpoint> endpoints = new ArrayList<>();
    for (SegmentEndpoint endpoint : segment.endpoints()) {
      endpoints.add(
          endpoint.transport().equals("shm")
              ? new SegmentEndpoint(
                  "shm",
                  new ShmEndpoint(UUID.randomUUID(), 1, ShmEndpoint.decode(endpoint).handshake())
                      .encode())
              : endpoint);
    }
    return new PeerSegment(segment.segmentId(), segment.generation(), segment.size(), endpoints);
  }

  @Test
  void followsTheConfiguredOrder() {
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client().withTransports(List.of("tcp", "shm")), true);
        Bed.Segment segment = node.segment(MIB, 7)) {
      put(client, segment.peer, 1);
      assertThat(puts(client, "tcp")).isEqualTo(1);
      PeerSegment shmOnly =
          new PeerSegment(segment.id, 7, MIB, List.of(segment.peer.endpoints().getFirst()));
      put(client, shmOnly, 2);
      assertThat(puts(client, "shm")).isEqualTo(1);
    }
  }

  @Test
  void copiesWithinTheProcess() {
    try (Bed node = new Bed(NODE, true);
        Bed.Segment segment = node.segment(8 * MIB, 7)) {
      put(node, segment.peer, 1);
      assertThat(puts(node, Transports.LOCAL)).isEqualTo(1);
      assertThat(node.transports.openedConnections()).isZero();
      MemorySegment large = Arena.ofAuto().allocate(8 * MIB).fill((byte) 6);
      Bed.await(node.onLoop(() -> node.transports.put(large, segment.peer, 0, soon())));
      assertThat(segment.region.memory().mismatch(large)).isEqualTo(-1);
      assertThatThrownBy(() -> put(node, segment.under(8), 2))
          .hasMessageContaining("mounted again");
    }
  }

  @Test
  void lendsAnonymousMemoryOverTcpOnly() {
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client(), true);
        AnonymousRegion region = AnonymousRegion.allocate(MIB)) {
      UUID id = UUID.randomUUID();
      List<SegmentEndpoint> endpoints = node.transports.register(region, id);
      node.transports.activate(id, 7);
      assertThat(endpoints.stream().map(SegmentEndpoint::transport)).containsExactly("tcp");
      put(client, new PeerSegment(id, 7, MIB, endpoints), 5);
      assertThat(region.memory().get(ValueLayout.JAVA_BYTE, 9)).isEqualTo((byte) 5);
      assertThat(region.pageBytes()).isPositive();
      Bed.await(node.transports.unregister(id));
    }
  }

  @Test
  void mapsOneSegmentOnceHoweverManyAsk() {
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client(), true);
        Bed.Segment segment = node.segment(MIB, 7)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        MemorySegment local = Arena.ofAuto().allocate(10);
        all.add(client.onLoop(() -> client.transports.put(local, segment.peer, 0, soon())));
      }
      Bed.await(Future.all(all));
      assertThat(puts(client, "shm")).isEqualTo(50);
      assertThat(client.transports.openedConnections()).isEqualTo(1);
    }
  }

  @Test
  void pausesEveryWayIntoASegmentBeforeANewGenerationOpensAny() throws Exception {
    int answers = 8;
    int answerBytes = 8 << 20;
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client().withTransports(List.of("shm")), true);
        Bed.Segment segment = node.segment(answerBytes, 7);
        ExecutorService owner = Executors.newSingleThreadExecutor()) {
      TcpEndpoint tcp = TcpEndpoint.decode(segment.peer.endpoints().getLast());
      // Asks under the old generation for more than sockets hold, and does not read it yet.
      try (RawPeer old = RawPeer.connect(tcp).greet(tcp)) {
        for (int i = 1; i <= answers; i++) {
          old.send(new Wire.Request(Wire.GET, i, segment.id, 7, 0, answerBytes, soon()));
        }
        old.read(1);
        java.util.concurrent.Future<?> activation =
            owner.submit(() -> node.transports.activate(segment.id, 8));
        await().until(() -> putWorks(client, segment.under(8)));
        // By then nothing was under way under the old generation: this one had been cut off.
        old.readToEnd();
        activation.get(20, TimeUnit.SECONDS);
      }
    }
  }

  private static boolean putWorks(Bed bed, PeerSegment segment) {
    MemorySegment local = Arena.ofAuto().allocate(10);
    return Bed.await(
        bed.onLoop(() -> bed.transports.put(local, segment, 0, soon())).map(true).otherwise(false));
  }

  @Test
  void waitsForAMappingUntilTheDeadlineOnly() throws IOException {
    TransferConfig patient =
        TransferConfig.client()
            .withTimeouts(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(2));
    try (ServerSocket silent = RawPeer.listen();
        Bed client = new Bed(patient, true)) {
      TcpEndpoint handshake = new TcpEndpoint("127.0.0.1", silent.getLocalPort(), 77);
      SegmentEndpoint shm =
          new SegmentEndpoint("shm", ShmEndpoint.ofThisProcess(handshake).encode());
      SegmentEndpoint tcp = new SegmentEndpoint("tcp", handshake.encode());
      for (List<SegmentEndpoint> ways : List.of(List.of(shm), List.of(shm, tcp))) {
        PeerSegment segment = new PeerSegment(UUID.randomUUID(), 7, MIB, ways);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
        MemorySegment local = Arena.ofAuto().allocate(10);
        Future<Void> put = client.onLoop(() -> client.transports.put(local, segment, 0, deadline));
        assertThatThrownBy(() -> Bed.await(put))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_EXPIRED));
      }
    }
  }

  @Test
  void letsGoOfWhatAPeerUnregisters() {
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client().withTransports(List.of("shm")), true)) {
      Bed.Segment segment = node.segment(MIB, 7);
      put(client, segment.peer, 1);
      segment.close();
      await().until(() -> client.transports.openedConnections() == 0);
    }
  }

  @Test
  void servesMoreThanTwoGibibytes() {
    long bytes = (2L << 30) + 4096;
    try (Bed node = new Bed(NODE, true);
        Bed tcp = new Bed(TransferConfig.client().withTransports(List.of("tcp")), true);
        Bed shm = new Bed(TransferConfig.client().withTransports(List.of("shm")), true)) {
      Assumptions.assumeTrue(AvailableMemory.bytes() > 2 * bytes, "too little memory");
      try (Bed.Segment segment = node.segment(bytes, 7)) {
        MemorySegment value = Arena.ofAuto().allocate(100_000).fill((byte) 9);
        for (Bed client : List.of(tcp, shm)) {
          for (long offset : new long[] {bytes - 100_000, Integer.MAX_VALUE - 97_000L}) {
            segment.region.memory().asSlice(offset, 100_000).fill((byte) 0);
            Bed.await(
                client.onLoop(() -> client.transports.put(value, segment.peer, offset, soon())));
            assertThat(segment.region.memory().asSlice(offset, 100_000).mismatch(value))
                .isEqualTo(-1);
          }
        }
      }
    }
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    try (Bed node = new Bed(NODE, true);
        Bed client = new Bed(TransferConfig.client(), true);
        Bed.Segment segment = node.segment(MIB, 0)) {
      assertThatThrownBy(() -> node.transports.register(segment.region, segment.id))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("registered already");
      assertThatThrownBy(() -> node.transports.activate(UUID.randomUUID(), 1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> node.transports.activate(segment.id, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> client.transports.register(segment.region, UUID.randomUUID()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not to serve");
      Future<Object> onLoop =
          node.onLoop(
              () -> {
                node.transports.activate(segment.id, 3);
                return Future.succeededFuture();
              });
      assertThatThrownBy(() -> Bed.await(onLoop)).hasMessageContaining("worker");
    }
  }

  @Test
  void checksTheConfiguration() {
    assertThatThrownBy(() -> TransferConfig.node("0.0.0.0", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("advertised");
    assertThatThrownBy(() -> NODE.withTransports(List.of("rdma")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rdma");
    assertThatThrownBy(() -> NODE.withTransports(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TransferConfig.node("localhost", 70_000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void saysWhyItCannotListen() {
    try (Bed first = new Bed(NODE, true)) {
      TransferConfig same = TransferConfig.node("127.0.0.1", first.transports.port());
      assertThatThrownBy(() -> new Bed(same, true)).hasMessageContaining("in use");
    }
  }
}
