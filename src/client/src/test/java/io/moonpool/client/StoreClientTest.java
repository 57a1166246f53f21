package io.moonpool.client;

import static io.moonpool.client.Pool.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.with;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreClientTest {
  private final Pool pool = new Pool(2);
  private final MoonpoolClient client = pool.client();

  @AfterEach
  void close() {
    await(client.close());
    pool.close();
  }

  private static byte[] random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 4_096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20, 33_000_001})
  void everyWayOfWritingIsReadInEveryWay(int size) {
    byte[] value = random(size, size);
    await(client.put("array", value));
    await(client.put("buffer", Buffer.buffer(value)));
    Arena arena = Arena.ofAuto();
    MemorySegment memory = arena.allocate(size);
    memory.copyFrom(MemorySegment.ofArray(value));
    await(client.putFrom("memory", memory));

    MemorySegment target = arena.allocate(size + 10L);
    for (String key : List.of("array", "buffer", "memory")) {
      assertThat(await(client.getBytes(key))).isEqualTo(value);
      assertThat(await(client.get(key)).getBytes()).isEqualTo(value);
      target.fill((byte) 0);
      assertThat(await(client.getInto(key, target))).isEqualTo(size);
      assertThat(target.asSlice(0, size).mismatch(memory)).isEqualTo(-1);
      assertThat(await(client.size(key))).isEqualTo(size);
    }
    Checksum sum = await(client.describe("memory")).checksum();
    assertThat(sum.kind()).isEqualTo(ChecksumKind.CRC32C);
    assertThat(sum.blocks()).hasSize(size <= 1 << 20 ? 0 : Math.ceilDiv(size, 1 << 20));
  }

  @Test
  void sharedMemoryWorksTheSame() {
    try (Pool shared = new Pool(2, List.of("shm", "tcp"))) {
      MoonpoolClient near = shared.client();
      for (int size : new int[] {1, 4_096, 1 << 20, 9_000_001}) {
        byte[] value = random(size, size);
        await(near.put("key-" + size, value, WriteOptions.replicas(2)));
        assertThat(await(near.getBytes("key-" + size))).isEqualTo(value);
      }
      assertThat(shared.transports.counters().get("shm").puts()).isGreaterThanOrEqualTo(8);
      await(near.close());
    }
  }

  @Test
  void rangesAreCutAnywhere() {
    int size = (9 << 20) + 12_345;
    byte[] value = random(size, 1);
    await(client.put("long", value));
    byte[] brief = random(3_000, 2);
    await(client.put("brief", brief));
    Random random = new Random(3);
    for (int i = 0; i < 60; i++) {
      boolean cutLong = i % 3 != 0;
      byte[] whole = cutLong ? value : brief;
      int from = random.nextInt(whole.length);
      if (i % 4 == 0) {
        from -= from % (1 << 20);
      }
      int length = 1 + random.nextInt(whole.length - from);
      byte[] expected = java.util.Arrays.copyOfRange(whole, from, from + length);
      assertThat(await(client.getRange(cutLong ? "long" : "brief", from, length)).getBytes())
          .isEqualTo(expected);
    }
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.getRange("brief", 2_999, 2)));
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.getRange("brief", -1, 2)));
    assertFails(
        ErrorCode.BUFFER_OVERFLOW,
        () -> await(client.getInto("brief", Arena.ofAuto().allocate(2_999))));
  }

  @Test
  void arrayAndBufferSlicesAreTakenAsTheyAre() {
    Buffer whole = Buffer.buffer(random(1_000, 4));
    await(client.put("slice", whole.slice(100, 300)));
    assertThat(await(client.get("slice"))).isEqualTo(whole.getBuffer(100, 300));
  }

  @Test
  void writesEveryReplica() {
    byte[] value = random(2 << 20, 5);
    await(client.put("twice", value, WriteOptions.replicas(2)));
    assertThat(pool.master.replicas("twice")).hasSize(2);
    for (int replica = 0; replica < 2; replica++) {
      assertThat(pool.memory("twice", replica).mismatch(MemorySegment.ofArray(value)))
          .isEqualTo(-1);
    }
    // Best effort: only two segments exist.
    await(client.put("thrice", value, WriteOptions.replicas(3)));
    assertThat(pool.master.replicas("thrice")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {4_096, 11 << 20})
  void readsTheIntactReplicaWhenOneIsDamaged(int size) {
    byte[] value = random(size, 6);
    await(client.put("key", value, WriteOptions.replicas(2)));
    pool.memory("key", 0).set(ValueLayout.JAVA_BYTE, size - 1, (byte) (value[size - 1] + 1));
    for (int i = 0; i < 4; i++) {
      assertThat(await(client.getBytes("key"))).isEqualTo(value);
      assertThat(await(client.getRange("key", size - 10, 10)).getByte(9))
          .isEqualTo(value[size - 1]);
    }
    ClientCounters counters = client.counters();
    assertThat(counters.checksumMismatches()).isPositive();
    assertThat(counters.replicaFallbacks()).isEqualTo(counters.checksumMismatches());
    pool.memory("key", 1).set(ValueLayout.JAVA_BYTE, 7, (byte) (value[7] + 1));
    if (size <= Checksum.BLOCK_BYTES) {
      assertFails(ErrorCode.CHECKSUM_MISMATCH, () -> await(client.get("key")));
    } else {
      // Each replica has intact blocks where the other one has not.
      assertThat(await(client.getBytes("key"))).isEqualTo(value);
      pool.memory("key", 0).set(ValueLayout.JAVA_BYTE, 8, (byte) (value[8] + 1));
      assertFails(ErrorCode.CHECKSUM_MISMATCH, () -> await(client.get("key")));
    }
  }

  @Test
  void readsTheOtherReplicaWhenANodeIsGone() {
    byte[] value = random(3 << 20, 7);
    await(client.put("key", value, WriteOptions.replicas(2)));
    await(pool.servers.get(0).close());
    for (int i = 0; i < 4; i++) {
      assertThat(await(client.getBytes("key"))).isEqualTo(value);
    }
    await(pool.servers.get(1).close());
    assertFails(ErrorCode.TRANSFER_FAIL, () -> await(client.getBytes("key")));
  }

  @Test
  void revokesWhatCouldNotBeWrittenEverywhere() {
    pool.master.avoids = false;
    await(pool.servers.get(1).close());
    assertFails(
        ErrorCode.TRANSFER_FAIL,
        () -> await(client.put("key", random(4_096, 8), WriteOptions.replicas(2))));
    assertThat(pool.master.writesUnderWay()).isZero();
    assertThat(pool.master.calls.get("PutStart")).isEqualTo(4); // and no more
    assertThat(client.counters().repeatedWrites()).isEqualTo(3);
    assertThat(await(client.exists("key"))).isFalse();
    assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(client.get("key")));
    await(client.put("key", random(4_096, 9)));
  }

  @Test
  void writesElsewhereWhenANodeIsGone() {
    await(pool.servers.get(0).close());
    pool.master.failing =
        name -> {
          if (name.equals("Revoke")) {
            pool.master.unmount(Pool.generation(0));
          }
          return null;
        };
    byte[] value = random(4_096, 36);
    await(client.put("key", value));
    assertThat(await(client.getBytes("key"))).isEqualTo(value);
  }

  @Test
  void writesAvoidNodesThatCannotBeReached() {
    await(pool.servers.get(0).close());
    byte[] value = random(4_096, 40);
    await(client.put("one", value));
    assertThat(client.counters().repeatedWrites()).isEqualTo(1);
    await(client.put("two", value, WriteOptions.replicas(2)));
    assertThat(await(client.describe("two")).replicas()).hasSize(1);
    List<Buffer> batch = List.of(Buffer.buffer(value), Buffer.buffer(random(9, 41)));
    assertThat(await(client.putBatch(List.of("a", "b"), batch, WriteOptions.DEFAULT)))
        .allMatch(Outcome::ok);
    for (String key : List.of("one", "two", "a")) {
      assertThat(await(client.getBytes(key))).isEqualTo(value);
    }
    assertThat(pool.master.writesUnderWay()).isZero();
  }

  @Test
  void whereThereIsNothingElseTheSameNodesAreTriedOnceMore() {
    await(pool.servers.get(0).close());
    await(pool.servers.get(1).close());
    assertFails(ErrorCode.TRANSFER_FAIL, () -> await(client.put("key", random(10, 42))));
    // The first, the second, nowhere, anywhere.
    assertThat(pool.master.calls.get("PutStart")).isEqualTo(4);
    assertThat(pool.master.writesUnderWay()).isZero();
  }

  @Test
  void writesWaitForSpaceAsLongAsTheyAreTold() {
    List<SegmentInfo> segments = await(client.segments());
    segments.forEach(segment -> pool.master.unmount(segment.generation()));
    assertFails(ErrorCode.NO_AVAILABLE_HANDLE, () -> await(client.put("key", random(10, 37))));
    assertThat(client.counters().spaceWaits()).isZero();
    assertFails(
        ErrorCode.NO_AVAILABLE_HANDLE,
        () ->
            await(client.put("key", random(10, 37), WriteOptions.DEFAULT.withSpaceWaitMillis(1))));

    AtomicInteger starts = new AtomicInteger();
    pool.master.failing =
        name -> {
          if (name.equals("PutStart") && starts.incrementAndGet() == 4) {
            segments.forEach(pool.master::mount);
          }
          return null;
        };
    WriteOptions patient = WriteOptions.DEFAULT.withSpaceWaitMillis(30_000);
    List<Buffer> batch = List.of(Buffer.buffer(random(20, 38)), Buffer.buffer(random(30, 39)));
    assertThat(await(client.putBatch(List.of("a", "b"), batch, patient))).allMatch(Outcome::ok);
    assertThat(starts).hasValue(4);
    assertThat(client.counters().spaceWaits()).isGreaterThanOrEqualTo(6);
    assertThat(await(client.get("a"))).isEqualTo(batch.get(0));
    assertThat(await(client.get("b"))).isEqualTo(batch.get(1));
    assertThat(client.counters().bytesFromMemory()).isEqualTo(50);
    assertThat(client.counters().bytesFromDisk()).isZero();
  }

  @Test
  void anUpsertThatFailsKeepsTheOldValue() {
    pool.master.avoids = false;
    byte[] old = random(4_096, 10);
    await(client.put("key", old));
    await(pool.servers.get(1).close());
    assertFails(
        ErrorCode.TRANSFER_FAIL,
        () -> await(client.upsert("key", random(100, 11), WriteOptions.replicas(2))));
    assertThat(await(client.getBytes("key"))).isEqualTo(old);
    byte[] changed = random(200, 12);
    await(client.upsert("key", changed));
    assertThat(await(client.getBytes("key"))).isEqualTo(changed);
  }

  @Test
  void reportsExistingObjectsUnlessToldNotTo() {
    byte[] value = random(10, 13);
    await(client.put("key", value));
    assertFails(ErrorCode.OBJECT_ALREADY_EXISTS, () -> await(client.put("key", random(10, 14))));
    await(client.put("key", random(10, 15), WriteOptions.DEFAULT.withIgnoreExisting(true)));
    assertThat(await(client.getBytes("key"))).isEqualTo(value);
  }

  @Test
  void endsAgainWhenTheAnswerWasLost() {
    AtomicInteger left = new AtomicInteger(1);
    pool.master.failing =
        name -> name.equals("End") && left.getAndDecrement() > 0 ? ErrorCode.RPC_FAIL : null;
    await(client.put("key", random(10, 16)));
    assertThat(await(client.exists("key"))).isTrue();
    left.set(2);
    assertFails(ErrorCode.RPC_FAIL, () -> await(client.put("other", random(10, 17))));
  }

  @Test
  void asksAgainWhenTheLeaseRanOutOnce() {
    byte[] value = random(4_096, 18);
    await(client.put("key", value));
    AtomicInteger asked = new AtomicInteger();
    pool.master.failing =
        name -> {
          if (name.equals("Locate")) {
            pool.master.leaseMillis = asked.incrementAndGet() == 1 ? 0 : 10_000;
          }
          return null;
        };
    assertThat(await(client.getBytes("key"))).isEqualTo(value);
    assertThat(asked).hasValue(2);

    pool.master.failing =
        name -> {
          pool.master.leaseMillis = 0;
          return null;
        };
    assertFails(ErrorCode.LEASE_EXPIRED, () -> await(client.getBytes("key")));
  }

  @Test
  void writesNothingAfterItsGrant() {
    pool.master.grantMillis = 0;
    assertFails(ErrorCode.LEASE_EXPIRED, () -> await(client.put("key", random(4_096, 19))));
    assertThat(pool.master.writesUnderWay()).isZero();
  }

  @Test
  void rememberedLocationsSaveTheCallUntilTheLeaseEnds() {
    MoonpoolClient caching =
        pool.client(ClientOptions.DEFAULT.but().locationCacheEntries(2).build());
    byte[] value = random(4_096, 20);
    await(caching.put("key", value));
    assertThat(await(caching.getBytes("key"))).isEqualTo(value);
    assertThat(await(caching.getBytes("key"))).isEqualTo(value);
    assertThat(pool.master.calls.get("Locate")).isEqualTo(1);

    byte[] changed = random(4_096, 21);
    await(caching.upsert("key", changed));
    assertThat(await(caching.getBytes("key"))).isEqualTo(changed);
    assertThat(pool.master.calls.get("Locate")).isEqualTo(2);

    // Another client's change is seen once the lease is over, at the latest.
    pool.master.leaseMillis = 50;
    await(caching.upsert("key", value));
    await(caching.getBytes("key"));
    await(client.upsert("key", changed));
    with().until(() -> java.util.Arrays.equals(await(caching.getBytes("key")), changed));

    await(caching.remove("key", false));
    assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(caching.getBytes("key")));
  }

  @Test
  void aRememberedLocationThatFailsIsAskedForAgain() {
    MoonpoolClient caching =
        pool.client(ClientOptions.DEFAULT.but().locationCacheEntries(2).build());
    byte[] value = random(4_096, 22);
    await(caching.put("key", value));
    await(caching.getBytes("key"));
    await(client.remove("key", true));
    byte[] changed = random(2 << 20, 23);
    await(client.put("key", changed));
    pool.regions.get(0).memory().fill((byte) 0);
    pool.memory("key", 0).copyFrom(MemorySegment.ofArray(changed));
    assertThat(await(caching.getBytes("key"))).isEqualTo(changed);
    assertThat(caching.counters().checksumMismatches()).isEqualTo(1);
    assertThat(caching.counters().repeatedReads()).isEqualTo(1);
    assertThat(client.counters().repeatedReads()).isZero();
  }

  @Test
  void batchesReportItemByItem() {
    await(client.put("b", random(10, 24)));
    List<Outcome<Void>> put =
        await(
            client.putBatch(
                List.of("a", "b", "c", "d"),
                List.of(
                    Buffer.buffer(random(10, 25)),
                    Buffer.buffer(random(10, 26)),
                    Buffer.buffer(),
                    Buffer.buffer(random(2 << 20, 27))),
                WriteOptions.DEFAULT));
    assertThat(put)
        .extracting(Outcome::code)
        .containsExactly(
            ErrorCode.OK, ErrorCode.OBJECT_ALREADY_EXISTS, ErrorCode.INVALID_PARAMS, ErrorCode.OK);
    List<Outcome<Buffer>> got = await(client.getBatch(List.of("d", "x", "a")));
    assertThat(got.get(0).get().getBytes()).isEqualTo(random(2 << 20, 27));
    assertThat(got.get(1).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(got.get(2).get().getBytes()).isEqualTo(random(10, 25));
    assertThat(await(client.existsBatch(List.of("a", "x"))))
        .containsExactly(Outcome.of(true), Outcome.of(false));
    assertThat(await(client.removeBatch(List.of("a", "x"), false)))
        .extracting(Outcome::code)
        .containsExactly(ErrorCode.OK, ErrorCode.OBJECT_NOT_FOUND);
    assertThat(await(client.getBatch(List.of()))).isEmpty();
    assertThat(await(client.putBatch(List.of(), List.of(), WriteOptions.DEFAULT))).isEmpty();
  }

  @Test
  void splitsQuestionsAboutMoreKeysThanAMasterTakesAtOnce() {
    List<String> keys = IntStream.range(0, 3 * SplitCalls.MAX_KEYS).mapToObj(i -> "k" + i).toList();
    List<Integer> present = List.of(0, SplitCalls.MAX_KEYS, 2 * SplitCalls.MAX_KEYS - 1);
    for (int index : present) {
      await(client.put(keys.get(index), new byte[] {1}, WriteOptions.DEFAULT));
    }
    List<Outcome<Boolean>> exist = await(client.existsBatch(keys));
    assertThat(exist).hasSameSizeAs(keys);
    for (int i = 0; i < exist.size(); i++) {
      assertThat(exist.get(i)).as(keys.get(i)).isEqualTo(Outcome.of(present.contains(i)));
    }
    assertThat(pool.master.largestBatch).isEqualTo(SplitCalls.MAX_KEYS);
    assertThat(pool.master.calls.get("Exists")).isEqualTo(3);
    // Only the second call fails: its keys, and no others.
    AtomicInteger removals = new AtomicInteger();
    pool.master.failing =
        name ->
            name.equals("Remove") && removals.incrementAndGet() == 2 ? ErrorCode.RPC_FAIL : null;
    List<Outcome<Void>> removed = await(client.removeBatch(keys, false));
    for (int i = 0; i < removed.size(); i++) {
      ErrorCode expected =
          i / SplitCalls.MAX_KEYS == 1
              ? ErrorCode.RPC_FAIL
              : i == 0 ? ErrorCode.OK : ErrorCode.OBJECT_NOT_FOUND;
      assertThat(removed.get(i).code()).as(keys.get(i)).isEqualTo(expected);
    }
    pool.master.failing = name -> name.equals("Exists") ? ErrorCode.RPC_FAIL : null;
    assertThatThrownBy(() -> await(client.existsBatch(keys))).isInstanceOf(StoreException.class);
  }

  @Test
  void splitsQuestionsAboutLongKeys() {
    List<String> keys = IntStream.range(0, 40).mapToObj(i -> i + "-" + "k".repeat(60_000)).toList();
    await(client.put(keys.getLast(), new byte[] {1}, WriteOptions.DEFAULT));
    List<Outcome<Boolean>> exist = await(client.existsBatch(keys));
    assertThat(exist).hasSameSizeAs(keys);
    assertThat(exist.getLast()).isEqualTo(Outcome.of(true));
    assertThat(exist.getFirst()).isEqualTo(Outcome.of(false));
    assertThat(pool.master.largestBatch).isLessThan(20);
  }

  @Test
  void aNarrowWindowLetsLargeBatchesThrough() {
    MoonpoolClient narrow = pool.client(ClientOptions.DEFAULT.but().windowBytes(1 << 20).build());
    int count = 1_200;
    Arena arena = Arena.ofAuto();
    List<String> keys = new ArrayList<>();
    List<MemorySegment> values = new ArrayList<>();
    List<MemorySegment> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add("key-" + i);
      int size = i == 600 ? 3 << 20 : 1 + i * 20;
      MemorySegment value = arena.allocate(size);
      value.copyFrom(MemorySegment.ofArray(random(size, i)));
      values.add(value);
      targets.add(arena.allocate(size));
    }
    ReplicateConfig grouped =
        new ReplicateConfig(
            2,
            ReplicateConfig.DEFAULT.softPinAction(),
            ReplicateConfig.DEFAULT.softPinTtlMillis(),
            false,
            List.of(),
            false,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            keys);
    assertThat(await(narrow.putBatchFrom(keys, values, WriteOptions.of(grouped))))
        .hasSize(count)
        .allMatch(Outcome::ok);
    assertThat(pool.master.largestBatch).isBetween(2, 512);
    List<Outcome<Long>> got = await(narrow.getBatchInto(keys, targets));
    for (int i = 0; i < count; i++) {
      assertThat(got.get(i)).isEqualTo(Outcome.of(values.get(i).byteSize()));
      assertThat(targets.get(i).mismatch(values.get(i))).isEqualTo(-1);
    }
  }

  @Test
  void aBatchFailsAsAWholeWhenTheMasterIsGone() {
    pool.master.failing = name -> ErrorCode.RPC_FAIL;
    assertFails(ErrorCode.RPC_FAIL, () -> await(client.getBatch(List.of("a", "b"))));
    assertFails(
        ErrorCode.RPC_FAIL,
        () ->
            await(
                client.putBatch(List.of("a"), List.of(Buffer.buffer("x")), WriteOptions.DEFAULT)));
    assertFails(ErrorCode.RPC_FAIL, () -> await(client.put("a", new byte[1])));
  }

  @Test
  void refusesKeysAndMemoryThatCannotWork() {
    byte[] one = {1};
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.put("", one)));
    assertFails(ErrorCode.INVALID_KEY, () -> await(client.put("x".repeat(65_536), one)));
    assertFails(ErrorCode.INVALID_KEY, () -> await(client.get("half \ud83d pair")));
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.put("empty", new byte[0])));
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment mine = confined.allocate(10);
      assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.putFrom("key", mine)));
      MemorySegment readOnly = Arena.ofAuto().allocate(10).asReadOnly();
      assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.getInto("key", readOnly)));
    }
    await(client.put("\ud83d\ude00".repeat(16_383), one));
    assertThat(await(client.getBytes("\ud83d\ude00".repeat(16_383)))).isEqualTo(one);
  }

  @Test
  void answersOnTheCallersContext() {
    Context context = pool.vertx.getOrCreateContext();
    Promise<Boolean> same = Promise.promise();
    context.runOnContext(
        start ->
            client
                .put("key", random(4_096, 28))
                .compose(done -> client.get("key"))
                .onComplete(
                    got -> same.complete(Vertx.currentContext() == context && got.succeeded())));
    assertThat(await(same.future())).isTrue();
  }

  @Test
  void tenantsAreApart() {
    MoonpoolClient other = client.forTenant("other");
    await(client.put("key", new byte[] {1}));
    await(other.put("key", new byte[] {2}));
    assertThat(await(client.getBytes("key"))).containsExactly(1);
    assertThat(await(other.getBytes("key"))).containsExactly(2);
    assertThat(other.options().tenant()).isEqualTo("other");
    assertThatThrownBy(() -> client.forTenant("_x")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void listsAndRemovesByPattern() {
    for (int i = 0; i < 25; i++) {
      await(client.put("model/" + i, new byte[] {1}));
    }
    await(client.put("other", new byte[] {1}));
    ObjectListing listing = client.list("^model/", 10);
    List<String> keys = new ArrayList<>();
    while (!listing.isFinished()) {
      await(listing.nextPage()).stream().map(ObjectInfo::key).forEach(keys::add);
    }
    assertThat(keys).hasSize(25).doesNotHaveDuplicates().allMatch(key -> key.contains("model/"));
    assertThat(await(listing.nextPage())).isEmpty();
    assertThat(await(client.removeMatching("^model/1", false))).isEqualTo(11);
    assertThat(await(client.exists("model/1"))).isFalse();
    assertThat(await(client.exists("model/2"))).isTrue();
  }

  @Test
  void anOpenObjectIsReadPieceByPiece() {
    byte[] value = random(5 << 20, 29);
    await(client.put("key", value));
    ObjectReader reader = await(client.open("key"));
    assertThat(reader.size()).isEqualTo(value.length);
    Arena arena = Arena.ofAuto();
    MemorySegment piece = arena.allocate(1 << 20);
    pool.master.leaseMillis = 30;
    for (int at = 0; at < value.length; at += 1 << 20) {
      await(reader.read(at, piece));
      assertThat(piece.mismatch(MemorySegment.ofArray(value).asSlice(at, 1 << 20))).isEqualTo(-1);
    }
    // Replaced since: what is read afterwards is of the old version or an error, never mixed.
    await(client.upsert("key", random(5 << 20, 30)));
    ObjectReader fresh = await(client.open("key"));
    await(client.upsert("key", random(5 << 20, 31)));
    with()
        .untilAsserted(
            () -> assertFails(ErrorCode.INVALID_VERSION, () -> await(fresh.read(0, piece))));
  }

  @Test
  void aSegmentThatIsGoneFailsTheTransferOnly() {
    await(client.put("key", random(4_096, 32)));
    MoonpoolClient late = pool.client();
    pool.master.unmount(Pool.generation(0));
    assertFails(ErrorCode.TRANSFER_FAIL, () -> await(late.get("key")));
    await(late.put("key2", random(4_096, 33)));
  }

  @Test
  void manifestsAreNoValues() {
    byte[] value = random(100, 34);
    await(client.put("key", value, WriteOptions.DEFAULT.asManifest()));
    assertFails(ErrorCode.NOT_SUPPORTED, () -> await(client.get("key")));
    ObjectReader reader = await(client.open("key"));
    assertThat(reader.checksum().kind()).isEqualTo(ChecksumKind.MANIFEST);
    MemorySegment target = Arena.ofAuto().allocate(100);
    await(reader.read(0, target));
    assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(value);
  }

  @Test
  void checksumsThatDoNotFitAreNeverTrusted() {
    byte[] value = random(3 << 20, 35);
    await(client.put("key", value));
    pool.master.setChecksum("key", Checksum.crc32c(1));
    assertFails(ErrorCode.CHECKSUM_MISMATCH, () -> await(client.get("key")));
    pool.master.setChecksum("key", Checksum.NONE); // a foreign writer's: nothing to check
    assertThat(await(client.getBytes("key"))).isEqualTo(value);
    assertThat(await(client.getRange("key", 1_000_000, 1_000_000)).getBytes())
        .isEqualTo(java.util.Arrays.copyOfRange(value, 1_000_000, 2_000_000));
  }

  @Test
  void manyAtOnceFromManyThreads() {
    List<Future<byte[]>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      String key = "key-" + i;
      byte[] value = random(1 + i * 37, i);
      all.add(client.put(key, value).compose(done -> client.getBytes(key)));
    }
    for (int i = 0; i < 500; i++) {
      assertThat(await(all.get(i))).isEqualTo(random(1 + i * 37, i));
    }
  }
}
