package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Between real processes, one of which is killed or stopped. */
class SecondProcessTest {
  private static final int MIB = 1 << 20;

  private final Arena arena = Arena.ofShared();
  private PeerProcess peer;

  @BeforeEach
  void start() throws IOException {
    peer = PeerProcess.start(64 * MIB);
  }

  @AfterEach
  void stop() throws Exception {
    peer.close();
    arena.close();
  }

  private static Bed client(String transport) {
    return new Bed(
        TransferConfig.client()
            .withTransports(List.of(transport))
            .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60)),
        true);
  }

  private MemorySegment filled(long bytes, int value) {
    return arena.allocate(bytes).fill((byte) value);
  }

  @Test
  void seesTheSameMemoryThroughBothTransports() {
    try (Bed shm = client("shm");
        Bed tcp = client("tcp")) {
      MemorySegment value = filled(5 * MIB + 3, 7);
      shm.put(value, peer.segment(), 11);
      assertThat(tcp.get(arena, peer.segment(), 11, value.byteSize()).mismatch(value))
          .isEqualTo(-1);
      MemorySegment other = filled(70_000, 8);
      tcp.put(other, peer.segment(), 100);
      assertThat(shm.get(arena, peer.segment(), 100, 70_000).mismatch(other)).isEqualTo(-1);
      assertThat(shm.transports.counters().get("shm").puts()).isEqualTo(1);
      assertThat(tcp.transports.counters().get("tcp").puts()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void failsSoonWhenThePeerIsKilled(String transport) throws IOException {
    try (Bed bed = client(transport)) {
      MemorySegment value = filled(MIB, 1);
      bed.put(value, peer.segment(), 0);
      Future<Void> walk = bed.onLoop(() -> putUntilItFails(bed, value));
      peer.kill();
      assertThatThrownBy(() -> Bed.await(walk))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSFER_FAIL));
      // Who comes later is told in words, not by the name of a class.
      assertThatThrownBy(() -> bed.put(value, peer.segment(), 0))
          .hasMessageContaining("no connection to")
          .hasMessageNotContaining("Exception");
      // Nothing of the dead peer's memory stays behind in this process.
      await()
          .until(() -> !Files.readString(Path.of("/proc/self/maps")).contains("moonpool-region"));
      await().until(() -> bed.transports.openedConnections() == 0);
    }
  }

  /** One promise for all puts: a failure would have to climb a chain as long as the load. */
  private Future<Void> putUntilItFails(Bed bed, MemorySegment value) {
    Promise<Void> end = Promise.promise();
    putUntilItFails(bed, value, end);
    return end.future();
  }

  private void putUntilItFails(Bed bed, MemorySegment value, Promise<Void> end) {
    bed.transports
        .put(value, peer.segment(), 0, Bed.soon())
        .onFailure(end::fail)
        .onSuccess(done -> bed.vertx.runOnContext(next -> putUntilItFails(bed, value, end)));
  }

  @Test
  void fencesAPutThatTimedOutWhileThePeerWasStopped() throws Exception {
    try (Bed tcp = client("tcp");
        Bed shm = client("shm")) {
      tcp.put(filled(MIB, 1), peer.segment(), 0);
      shm.put(filled(10, 1), peer.segment(), 0);
      peer.signal("STOP");
      // The kernel takes the small put whole and a part of the large one; nobody reads them.
      Future<Void> small =
          tcp.onLoop(() -> tcp.transports.put(filled(4096, 2), peer.segment(), 0, Bed.soon()));
      Future<Void> large =
          tcp.onLoop(() -> tcp.transports.put(filled(MIB, 2), peer.segment(), 0, Bed.soon()));
      for (Future<Void> transfer : List.of(small, large)) {
        assertThatThrownBy(() -> Bed.await(transfer))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSFER_FAIL));
      }
      peer.signal("CONT");
      // What the peer finds in its sockets now came too late, by its own clock.
      MemorySegment ones = filled(MIB, 1);
      for (int i = 0; i < 20; i++) {
        assertThat(tcp.get(arena, peer.segment(), 0, MIB).mismatch(ones)).isEqualTo(-1);
      }
      // shm needs nothing of the peer's threads.
      assertThat(shm.get(arena, peer.segment(), 0, 1).get(ValueLayout.JAVA_BYTE, 0))
          .isEqualTo((byte) 1);
    }
  }

  @Test
  void mapsAgainWhenAPeerIsReplaced() throws Exception {
    try (Bed bed = client("shm")) {
      bed.put(filled(10, 1), peer.segment(), 0);
      peer.close();
      peer = PeerProcess.start(MIB);
      bed.put(filled(10, 2), peer.segment(), 0);
      assertThat(bed.get(arena, peer.segment(), 0, 1).get(ValueLayout.JAVA_BYTE, 0))
          .isEqualTo((byte) 2);
    }
  }
}
