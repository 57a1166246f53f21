package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through UCX between real processes, some of which are killed or stopped. */
class UcxSecondProcessTest {
  private static final int MIB = 1 << 20;
  private static final int PEERS = 3;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Peers that are killed, for each of UCX's transports; the long run has 100. */
  private static final int ROUNDS = Integer.getInteger("moonpool.test.kills", 2);

  private final Arena arena = Arena.ofShared();
  private final List<PeerProcess> peers = new ArrayList<>();

  @BeforeAll
  static void requireLibrary() {
    UcxTcpConformanceTest.requireLibrary();
  }

  @AfterEach
  void stop() throws Exception {
    for (PeerProcess peer : peers) {
      peer.close();
    }
    arena.close();
  }

  private PeerProcess start(String tls) throws Exception {
    PeerProcess peer = PeerProcess.ucx(64 * MIB, tls);
    peers.add(peer);
    return peer;
  }

  private static Bed client(String tls) {
    return new Bed(
        TransferConfig.client()
            .withTransports(List.of("ucx"))
            .withUcx(new UcxOptions(tls, Duration.ofNanos(20_000)))
            .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60)),
        true);
  }

  private MemorySegment filled(long bytes, int value) {
    return arena.allocate(bytes).fill((byte) value);
  }

  private static void assertFails(Future<?> transfer) {
    assertThatThrownBy(() -> Bed.await(transfer))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSFER_FAIL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp,self", "posix,self"})
  void movesBytesBetweenProcesses(String tls) throws Exception {
    PeerProcess peer = start(tls);
    try (Bed bed = client(tls)) {
      MemorySegment value = filled(5 * MIB + 3, 7);
      bed.put(value, peer.segment(), 11);
      assertThat(bed.get(arena, peer.segment(), 11, value.byteSize()).mismatch(value))
          .isEqualTo(-1);
      assertThat(bed.transports.counters().get("ucx").puts()).isEqualTo(1);
      assertThat(bed.transports.counters().get("ucx").gets()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp,self", "posix,self"})
  void failsSoonWhenThePeerIsKilled(String tls) throws Exception {
    PeerProcess peer = start(tls);
    PeerProcess other = start(tls);
    try (Bed bed = client(tls)) {
      MemorySegment value = filled(MIB, 1);
      bed.put(value, peer.segment(), 0);
      bed.put(value, other.segment(), 0);
      Future<Void> walk = bed.onLoop(() -> putUntilItFails(bed, value, peer.segment()));
      peer.kill();
      assertFails(walk);
      await().until(() -> bed.transports.openedConnections() == 1);
      // Another replica is there at once.
      bed.put(value, other.segment(), 0);
      assertThatThrownBy(() -> bed.put(value, peer.segment(), 0))
          .hasMessageContaining("no connection to")
          .hasMessageNotContaining("Exception");
    }
  }

  /** One promise for all puts: a failure would have to climb a chain as long as the load. */
  private static Future<Void> putUntilItFails(Bed bed, MemorySegment value, PeerSegment segment) {
    Promise<Void> end = Promise.promise();
    putUntilItFails(bed, value, segment, end);
    return end.future();
  }

  private static void putUntilItFails(
      Bed bed, MemorySegment value, PeerSegment segment, Promise<Void> end) {
    bed.transports
        .put(value, segment, 0, Bed.soon())
        .onFailure(end::fail)
        .onSuccess(
            done -> bed.vertx.runOnContext(next -> putUntilItFails(bed, value, segment, end)));
  }

  @Test
  void fencesAPutThatTimedOutWhileThePeerWasStopped() throws Exception {
    PeerProcess peer = start("tcp,self");
    try (Bed bed = client("tcp,self")) {
      bed.put(filled(MIB, 1), peer.segment(), 0);
      peer.signal("STOP");
      Future<Void> small =
          bed.onLoop(() -> bed.transports.put(filled(4096, 2), peer.segment(), 0, Bed.soon()));
      Future<Void> large =
          bed.onLoop(() -> bed.transports.put(filled(MIB, 2), peer.segment(), 0, Bed.soon()));
      long stopped = System.nanoTime();
      assertFails(small);
      assertFails(large);
      // Longer than a stop that the owner may take for a busy machine.
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> System.nanoTime() - stopped > 2 * UcxLoop.STALL_NANOS);
      peer.signal("CONT");
      MemorySegment ones = filled(MIB, 1);
      await().ignoreExceptions().until(() -> bed.get(arena, peer.segment(), 0, 1) != null);
      for (int i = 0; i < 20; i++) {
        assertThat(bed.get(arena, peer.segment(), 0, MIB).mismatch(ones)).isEqualTo(-1);
      }
    }
  }

  @Test
  void fencesOffAPeerThatDoesNotEndItsAccesses() throws Exception {
    // Here the other process asks, and is stopped in the middle.
    try (Bed bed =
            new Bed(
                TransferConfig.node("127.0.0.1", 0)
                    .withTransports(List.of("ucx", "tcp"))
                    .withUcx(new UcxOptions("tcp,self", Duration.ZERO)),
                true);
        Bed.Segment segment = bed.segment(32 * MIB, 7);
        WritingProcess writer = WritingProcess.start(segment.peer, "tcp,self")) {
      await().until(() -> segment.region.memory().get(ValueLayout.JAVA_BYTE, 0) != 0);
      writer.signal("STOP");
      bed.transports.activate(segment.id, 8);
      MemorySegment zeros = arena.allocate(32 * MIB);
      segment.region.memory().copyFrom(zeros);
      writer.signal("CONT");
      assertThat(writer.outcome()).contains("TRANSFER_FAIL");
      assertThat(segment.region.memory().mismatch(zeros)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp,self", "posix,self"})
  void survivesPeersThatAreKilledUnderLoad(String tls) throws Exception {
    Random random = new Random(20260102);
    try (Bed bed = client(tls)) {
      List<Load> loads = new ArrayList<>();
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 0; i < PEERS; i++) {
        loads.add(new Load(bed, start(tls).segment(), random.nextLong()));
        ends.add(bed.onLoop(loads.get(i)::run));
      }
      for (int round = 0; round < ROUNDS; round++) {
        int victim = random.nextInt(PEERS);
        long puts = loads.get(victim).done + 1 + random.nextInt(40);
        await().atMost(LIMIT).until(() -> loads.get(victim).hasDone(puts));
        loads.get(victim).killed = true;
        peers.get(victim).kill();
        assertFails(ends.get(victim));
        // The others go on, and nothing of theirs is wrong.
        for (int i = 0; i < PEERS; i++) {
          Load other = loads.get(i);
          if (i != victim) {
            long more = other.done + 10;
            await().atMost(LIMIT).until(() -> other.hasDone(more));
          }
        }
        peers.get(victim).close();
        PeerProcess next = PeerProcess.ucx(64 * MIB, tls);
        peers.set(victim, next);
        loads.set(victim, new Load(bed, next.segment(), random.nextLong()));
        ends.set(victim, bed.onLoop(loads.get(victim)::run));
      }
      loads.forEach(load -> load.stop = true);
      for (Future<Void> end : ends) {
        Bed.await(end);
      }
    }
  }

  /** Puts random bytes to random places, reads them back and compares, until it is stopped. */
  private static final class Load {
    private static final int LARGEST = 300_000;
    private static final long RETRY_MILLIS = 10;

    private final Bed bed;
    private final PeerSegment segment;
    private final Random random;
    private final MemorySegment value = Arena.ofAuto().allocate(LARGEST);
    private final MemorySegment read = Arena.ofAuto().allocate(LARGEST);
    private final Promise<Void> end = Promise.promise();
    volatile long done;
    volatile boolean stop;
    volatile boolean killed;

    Load(Bed bed, PeerSegment segment, long seed) {
      this.bed = bed;
      this.segment = segment;
      this.random = new Random(seed);
    }

    /** Whether it has done that much; throws when it has failed. */
    boolean hasDone(long puts) {
      if (end.future().failed()) {
        throw new AssertionError("the load of a peer that lives has failed", end.future().cause());
      }
      return done >= puts;
    }

    /** Starts; ends with the first failure, or when it is stopped. */
    Future<Void> run() {
      next();
      return end.future();
    }

    /** One promise for all steps: a chain of futures would be as long as the load. */
    private void next() {
      if (stop) {
        end.complete();
        return;
      }
      int bytes = 1 + random.nextInt(LARGEST);
      long offset = random.nextInt(64 * MIB - LARGEST);
      MemorySegment from = value.asSlice(0, bytes);
      long pattern = random.nextLong();
      for (long at = 0; at + 8 <= bytes; at += 8) {
        from.set(ValueLayout.JAVA_LONG_UNALIGNED, at, pattern * (at + 1));
      }
      MemorySegment to = read.asSlice(0, bytes);
      bed.transports
          .put(from, segment, offset, Bed.soon())
          .compose(put -> bed.transports.get(to, segment, offset, Bed.soon()))
          .onComplete(
              got -> {
                if (got.cause() instanceof StoreException && !killed) {
                  // A busy machine may starve a peer until it fences its users off.
                  bed.vertx.setTimer(RETRY_MILLIS, again -> next());
                } else if (got.failed()) {
                  end.fail(got.cause());
                } else if (to.mismatch(from) != -1) {
                  end.fail("wrong bytes at " + offset);
                } else {
                  done++;
                  bed.vertx.runOnContext(again -> next());
                }
              });
    }
  }
}
