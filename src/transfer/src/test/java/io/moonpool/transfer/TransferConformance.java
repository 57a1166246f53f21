package io.moonpool.transfer;

import static io.moonpool.transfer.Bed.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import io.vertx.core.Future;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every transport. Subclasses say which, and how two processes are configured. */
abstract class TransferConformance {
  private static final long MIB = 1 << 20;
  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

  private Arena arena;
  private Bed node;
  private Bed client;

  /** The name under which transfers must be counted. */
  abstract String transport();

  abstract TransferConfig node();

  abstract TransferConfig client();

  boolean nativeTransport() {
    return true;
  }

  /** Transfers above this size are left out, where they would only take time. */
  long largestBytes() {
    return Long.MAX_VALUE;
  }

  /** Patient, since what is tested here is not speed. */
  static TransferConfig patient(TransferConfig config) {
    return config.withTimeouts(
        Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(60));
  }

  @BeforeAll
  static void watchLeaks() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBufUtil.setLeakListener(
        new ResourceLeakDetector.LeakListener() {
          @Override
          public void onLeak(String resourceType, String records) {
            LEAKS.add(resourceType + records);
          }
        });
  }

  @AfterAll
  static void noLeaks() {
    // Leaks are reported by the allocations that follow the collection of what leaked.
    for (int i = 0; i < 5; i++) {
      System.gc();
      ByteBufAllocator.DEFAULT.directBuffer(64).release();
    }
    assertThat(LEAKS).isEmpty();
  }

  @BeforeEach
  void start() {
    arena = Arena.ofShared();
    node = new Bed(patient(node()), nativeTransport());
    client = new Bed(patient(client()), nativeTransport());
  }

  @AfterEach
  void stop() {
    client.close();
    node.close();
    arena.close();
  }

  private static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  private MemorySegment random(long bytes, long seed) {
    MemorySegment memory = arena.allocate(bytes);
    fill(memory, seed);
    return memory;
  }

  private static void fill(MemorySegment memory, long seed) {
    long at = 0;
    long x = seed * 0x9e3779b97f4a7c15L + 1;
    for (; at + 8 <= memory.byteSize(); at += 8) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, x);
    }
    for (; at < memory.byteSize(); at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) (x >>> (at % 8 * 8)));
    }
  }

  private void put(MemorySegment local, PeerSegment peer, long offset) {
    await(client.onLoop(() -> client.transports.put(local, peer, offset, soon())));
  }

  private void get(MemorySegment local, PeerSegment peer, long offset) {
    await(client.onLoop(() -> client.transports.get(local, peer, offset, soon())));
  }

  private static void assertSame(MemorySegment actual, MemorySegment expected) {
    assertThat(actual.byteSize()).isEqualTo(expected.byteSize());
    assertThat(actual.mismatch(expected)).isEqualTo(-1);
  }

  private static void assertFails(Future<Void> transfer, ErrorCode code) {
    assertThatThrownBy(() -> await(transfer))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        1,
        2,
        63,
        4095,
        4096,
        4097,
        16_384,
        16_385,
        65_536,
        65_537,
        262_144,
        1_000_003,
        1 << 20,
        (4 << 20) + 1,
        64 << 20,
        1 << 30
      })
  void movesEverySizeAtUnalignedOffsets(long bytes) {
    Assumptions.assumeTrue(bytes <= largestBytes());
    Assumptions.assumeTrue(
        bytes < 1 << 30 || Boolean.getBoolean("moonpool.test.largest"),
        "1 GiB takes long: set -Dmoonpool.test.largest=true");
    try (Bed.Segment segment = node.segment(bytes + 8191, 7)) {
      long[] offsets = bytes > MIB ? new long[] {8191} : new long[] {0, 1, 4093, 8191};
      for (long offset : offsets) {
        MemorySegment value = random(bytes, bytes + offset);
        put(value, segment.peer, offset);
        assertSame(segment.region.memory().asSlice(offset, bytes), value);
        MemorySegment read = arena.allocate(bytes);
        get(read, segment.peer, offset);
        assertSame(read, value);
      }
      TransferCounters counters = client.transports.counters().get(transport());
      assertThat(counters.puts()).isEqualTo(offsets.length);
      assertThat(counters.putBytes()).isEqualTo(offsets.length * bytes);
      assertThat(counters.gets()).isEqualTo(offsets.length);
      assertThat(counters.failures()).isZero();
    }
  }

  @Test
  void touchesNothingAroundTheRange() {
    try (Bed.Segment segment = node.segment(4 * MIB, 7)) {
      MemorySegment before = random(4 * MIB, 1);
      segment.region.memory().copyFrom(before);
      put(random(100_001, 2), segment.peer, 1_000_001);
      MemorySegment memory = segment.region.memory();
      assertSame(memory.asSlice(0, 1_000_001), before.asSlice(0, 1_000_001));
      assertSame(memory.asSlice(1_100_002), before.asSlice(1_100_002));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 30_000, 3_000_000})
  void movesHeapMemory(int bytes) {
    try (Bed.Segment segment = node.segment(4 * MIB, 7)) {
      MemorySegment value = MemorySegment.ofArray(new byte[bytes]);
      fill(value, bytes);
      put(value, segment.peer, 77);
      assertSame(segment.region.memory().asSlice(77, bytes), value);
      MemorySegment read = MemorySegment.ofArray(new long[bytes / 8 + 1]).asSlice(0, bytes);
      get(read, segment.peer, 77);
      assertSame(read, value);
    }
  }

  @Test
  void movesFromThreadsOutsideVertx() {
    try (Bed.Segment segment = node.segment(MIB, 7)) {
      MemorySegment value = random(300_000, 5);
      await(client.transports.put(value, segment.peer, 9, soon()));
      MemorySegment read = arena.allocate(300_000);
      await(client.transports.get(read, segment.peer, 9, soon()));
      assertSame(read, value);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 100_000})
  void keepsManyInFlight(int bytes) {
    int transfers = 64;
    try (Bed.Segment segment = node.segment((long) transfers * bytes, 7)) {
      MemorySegment values = random((long) transfers * bytes, 3);
      MemorySegment read = arena.allocate((long) transfers * bytes);
      await(
          client.onLoop(
              () -> {
                List<Future<Void>> all = new ArrayList<>();
                for (int i = 0; i < transfers; i++) {
                  long at = (long) i * bytes;
                  all.add(
                      client.transports.put(values.asSlice(at, bytes), segment.peer, at, soon()));
                }
                return Future.all(all).<Void>mapEmpty();
              }));
      assertSame(segment.region.memory(), values);
      await(
          client.onLoop(
              () -> {
                List<Future<Void>> all = new ArrayList<>();
                for (int i = transfers - 1; i >= 0; i--) {
                  long at = (long) i * bytes;
                  all.add(client.transports.get(read.asSlice(at, bytes), segment.peer, at, soon()));
                }
                return Future.all(all).<Void>mapEmpty();
              }));
      assertSame(read, values);
    }
  }

  @Test
  void agreesWithAModelUnderRandomOperationsOfSeveralPeers() {
    long seed = 20260101;
    int peers = 3;
    int area = 600_000;
    try (Bed.Segment segment = node.segment((long) peers * area, 7);
        Bed second = new Bed(patient(client()), nativeTransport());
        Bed third = new Bed(patient(client()), nativeTransport())) {
      List<Bed> beds = List.of(client, second, third);
      List<Future<Void>> walks = new ArrayList<>();
      for (int i = 0; i < peers; i++) {
        Bed bed = beds.get(i);
        long base = (long) i * area;
        Random random = new Random(seed + i);
        MemorySegment model = arena.allocate(area);
        walks.add(bed.onLoop(() -> walk(bed, segment.peer, base, model, random, 40)));
      }
      for (Future<Void> walk : walks) {
        await(walk);
      }
    }
  }

  /** Batches of puts and gets; all in a batch are in flight together, their ranges disjoint. */
  private Future<Void> walk(
      Bed bed, PeerSegment peer, long base, MemorySegment model, Random random, int batches) {
    if (batches == 0) {
      return Future.succeededFuture();
    }
    List<Future<Void>> batch = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    long at = 0;
    while (at < model.byteSize() && batch.size() < 16) {
      long offset = at + random.nextInt(1000);
      long length = 1 + (random.nextInt(4) == 0 ? random.nextInt(200_000) : random.nextInt(9000));
      if (offset + length > model.byteSize()) {
        break;
      }
      at = offset + length;
      if (random.nextBoolean()) {
        MemorySegment value = random(length, random.nextLong());
        model.asSlice(offset, length).copyFrom(value);
        batch.add(bed.transports.put(value, peer, base + offset, soon()));
      } else {
        MemorySegment read = arena.allocate(length);
        MemorySegment expected = model.asSlice(offset, length);
        batch.add(bed.transports.get(read, peer, base + offset, soon()));
        checks.add(() -> assertSame(read, expected));
      }
    }
    return Future.all(batch)
        .compose(
            done -> {
              checks.forEach(Runnable::run);
              return walk(bed, peer, base, model, random, batches - 1);
            });
  }

  @Test
  void refusesAnotherGeneration() {
    try (Bed.Segment segment = node.segment(MIB, 7)) {
      assertFails(
          client.transports.put(random(10, 1), segment.under(8), 0, soon()),
          ErrorCode.TRANSFER_FAIL);
      assertFails(
          client.transports.get(arena.allocate(100_000), segment.under(6), 0, soon()),
          ErrorCode.TRANSFER_FAIL);
      assertThat(segment.region.memory().get(ValueLayout.JAVA_BYTE, 0)).isZero();
      // Neither refusal disturbs what follows.
      put(random(10, 2), segment.peer, 0);
    }
  }

  @Test
  void refusesBeforeActivation() {
    try (Bed.Segment segment = node.segment(MIB, 0)) {
      assertFails(
          client.transports.put(random(10, 1), segment.under(3), 0, soon()),
          ErrorCode.TRANSFER_FAIL);
      assertFails(
          client.transports.put(random(10, 1), segment.under(0), 0, soon()),
          ErrorCode.TRANSFER_FAIL);
      node.transports.activate(segment.id, 3);
      put(random(10, 1), segment.under(3), 0);
    }
  }

  @Test
  void refusesAfterUnregistering() {
    Bed.Segment segment = node.segment(MIB, 7);
    put(random(100_000, 1), segment.peer, 0);
    segment.close();
    assertFails(
        client.transports.put(random(100_000, 1), segment.peer, 0, soon()),
        ErrorCode.TRANSFER_FAIL);
    assertFails(
        client.transports.get(arena.allocate(10), segment.peer, 0, soon()),
        ErrorCode.TRANSFER_FAIL);
  }

  @Test
  void followsARemountWithANewGeneration() {
    try (Bed.Segment segment = node.segment(MIB, 7)) {
      MemorySegment value = random(200_000, 1);
      put(value, segment.peer, 3);
      node.transports.activate(segment.id, 8);
      assertFails(
          client.transports.put(random(200_000, 2), segment.peer, 3, soon()),
          ErrorCode.TRANSFER_FAIL);
      assertFails(
          client.transports.get(arena.allocate(10), segment.peer, 3, soon()),
          ErrorCode.TRANSFER_FAIL);
      MemorySegment read = arena.allocate(200_000);
      get(read, segment.under(8), 3);
      assertSame(read, value);
      put(random(10, 4), segment.under(8), 0);
    }
  }

  @Test
  void refusesRangesOutside() {
    try (Bed.Segment segment = node.segment(MIB, 7)) {
      long[] offsets = {MIB - 9, MIB, -1, Long.MAX_VALUE, Long.MAX_VALUE - 5, Long.MIN_VALUE};
      for (long offset : offsets) {
        assertFails(
            client.transports.put(random(10, 1), segment.peer, offset, soon()),
            ErrorCode.TRANSFER_FAIL);
        // A client that believes in a larger segment is refused by the owner.
        PeerSegment larger =
            new PeerSegment(segment.id, 7, Long.MAX_VALUE, segment.peer.endpoints());
        if (offset >= 0) {
          assertFails(
              client.transports.put(random(10, 1), larger, offset, soon()),
              ErrorCode.TRANSFER_FAIL);
        }
      }
      put(random(10, 1), segment.peer, MIB - 10);
    }
  }

  @Test
  void movesNothing() {
    try (Bed.Segment segment = node.segment(MIB, 7)) {
      put(arena.allocate(0), segment.peer, MIB);
      get(arena.allocate(0), segment.peer, 0);
    }
  }

  @Test
  void refusesWhenTheDeadlineHasPassed() {
    try (Bed.Segment segment = node.segment(8 * MIB, 7)) {
      for (long bytes : new long[] {10, 100_000, 8 * MIB}) {
        assertFails(
            client.transports.put(random(bytes, 1), segment.peer, 0, System.nanoTime() - 1),
            ErrorCode.LEASE_EXPIRED);
        assertFails(
            client.transports.get(arena.allocate(bytes), segment.peer, 0, System.nanoTime() - 1),
            ErrorCode.LEASE_EXPIRED);
      }
      assertSame(segment.region.memory(), arena.allocate(8 * MIB));
    }
  }

  @Test
  void endsEveryTransferWhenThePeerClosesDuringThem() {
    Bed.Segment segment = node.segment(32 * MIB, 7);
    MemorySegment value = random(MIB, 1);
    put(value, segment.peer, 0);
    Future<Integer> failed = client.onLoop(() -> putUntilItFails(value, segment.peer, 0));
    await(node.transports.close());
    await(failed);
    segment.region.close();
  }

  private Future<Integer> putUntilItFails(MemorySegment value, PeerSegment peer, int done) {
    return putUntilItFails(client, value, peer, done);
  }

  private static Future<Integer> putUntilItFails(
      Bed bed, MemorySegment value, PeerSegment peer, int done) {
    List<Future<Void>> batch = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      batch.add(bed.transports.put(value, peer, i * MIB, soon()));
    }
    return Future.join(batch)
        .transform(
            joined ->
                joined.succeeded()
                    ? putUntilItFails(bed, value, peer, done + 16)
                    : Future.succeededFuture(done));
  }

  @Test
  void endsEveryTransferWhenTheSegmentIsUnregisteredDuringThem() {
    Bed.Segment segment = node.segment(32 * MIB, 7);
    MemorySegment value = random(MIB, 1);
    put(value, segment.peer, 0);
    Future<Integer> failed = client.onLoop(() -> putUntilItFails(value, segment.peer, 0));
    await(node.transports.unregister(segment.id));
    // From here on nobody touches the memory.
    MemorySegment zeros = arena.allocate(32 * MIB);
    segment.region.memory().copyFrom(zeros);
    await(failed);
    assertSame(segment.region.memory(), zeros);
    segment.region.close();
    try (Bed.Segment next = node.segment(MIB, 9)) {
      put(random(100, 2), next.peer, 0);
    }
  }

  @Test
  void endsEveryTransferWhenTheSegmentIsMountedAnewDuringThem() {
    try (Bed.Segment segment = node.segment(32 * MIB, 7)) {
      MemorySegment value = random(MIB, 1);
      put(value, segment.peer, 0);
      Future<Integer> failed = client.onLoop(() -> putUntilItFails(value, segment.peer, 0));
      node.transports.activate(segment.id, 8);
      // From here on nothing of the old generation changes the memory.
      MemorySegment zeros = arena.allocate(32 * MIB);
      segment.region.memory().copyFrom(zeros);
      await(failed);
      assertSame(segment.region.memory(), zeros);
      put(value, segment.under(8), 5);
      assertSame(segment.region.memory().asSlice(5, MIB), value);
    }
  }

  @Test
  void endsEveryTransferThatIsUnderWayWhenItIsClosed() {
    try (Bed.Segment segment = node.segment(32 * MIB, 7)) {
      MemorySegment value = random(2 * MIB, 1);
      Bed other = new Bed(patient(client()), nativeTransport());
      await(other.onLoop(() -> other.transports.put(value, segment.peer, 0, soon())));
      List<Future<Void>> batch = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        batch.add(other.transports.put(value, segment.peer, i % 16 * 2 * MIB, soon()));
      }
      await(other.transports.close());
      await(Future.join(batch).transform(ended -> Future.succeededFuture()));
      await(other.vertx.close());
    }
  }

  @Test
  void keepsOthersGoingWhenOnePeerIsGone() {
    try (Bed.Segment segment = node.segment(32 * MIB, 7)) {
      MemorySegment value = random(MIB, 1);
      Bed other = new Bed(patient(client()), nativeTransport());
      await(other.onLoop(() -> other.transports.put(value, segment.peer, 0, soon())));
      Future<Integer> cut = other.onLoop(() -> putUntilItFails(other, value, segment.peer, 0));
      await(other.transports.close());
      await(cut);
      await(other.vertx.close());
      put(value, segment.peer, 3);
      assertSame(segment.region.memory().asSlice(3, MIB), value);
    }
  }

  @Test
  void rejectsMemoryThatItCannotUse() {
    try (Bed.Segment segment = node.segment(MIB, 7);
        Arena confined = Arena.ofConfined()) {
      MemorySegment mine = confined.allocate(10);
      assertThatThrownBy(() -> client.transports.put(mine, segment.peer, 0, soon()))
          .isInstanceOf(IllegalArgumentException.class);
      MemorySegment readOnly = arena.allocate(10).asReadOnly();
      assertThatThrownBy(() -> client.transports.get(readOnly, segment.peer, 0, soon()))
          .isInstanceOf(IllegalArgumentException.class);
      put(readOnly, segment.peer, 0);
    }
  }

  @Test
  void doesNotCloseARegisteredRegion() {
    try (Bed.Segment segment = node.segment(MIB, 7)) {
      assertThatThrownBy(segment.region::close).isInstanceOf(IllegalStateException.class);
    }
  }
}
