package io.moonpool.client;

import static io.moonpool.client.Pool.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.NodeCalls;
import io.moonpool.protocol.call.ReleaseStaged;
import io.moonpool.protocol.call.StageEndpoint;
import io.moonpool.protocol.call.StageObjects;
import io.moonpool.protocol.call.StagedObjects;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServer;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServerOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads of objects that are on the disk of a node, which stages them behind real sockets. */
class DiskReadsTest {
  private static final long DISK = 7L << 32;
  private static final long STAGING = 1;
  private static final int STAGING_BYTES = 32 << 20;

  private final Pool pool = new Pool(1);
  private final Map<Long, byte[]> values = new HashMap<>();
  private final ConcurrentLinkedQueue<StageObjects> asked = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> released = new ConcurrentLinkedQueue<>();
  private volatile ErrorCode refusal = ErrorCode.OK;
  private volatile long leaseMillis = 5_000;
  private volatile boolean corrupt;

  /** Requests are answered when it completes. */
  private volatile Future<Void> answered = Future.succeededFuture();

  private Transports node;
  private Region staging;
  private final UUID stagingId = UUID.randomUUID();
  private SegmentInfo stagingInfo;
  private long nextBatch = 40;
  private long nextPlace;

  @BeforeEach
  void start() throws Exception {
    node =
        await(
            Transports.start(
                pool.vertx, TransferConfig.node("127.0.0.1", 0).withTransports(List.of("tcp"))));
    staging = node.allocate(STAGING_BYTES);
    List<SegmentEndpoint> endpoints = node.register(staging, stagingId);
    node.activate(stagingId, STAGING);
    stagingInfo =
        new SegmentInfo(
            SegmentSpec.memory(stagingId, "staging", STAGING_BYTES, "", endpoints),
            new UUID(1, 1),
            STAGING,
            SegmentStatus.OK,
            ClientState.ACTIVE,
            0);
    FrameDispatcher calls =
        FrameDispatcher.builder()
            .on(NodeCalls.STAGE, this::stage)
            .on(NodeCalls.RELEASE, this::release)
            .build();
    FrameServer server =
        await(
            FrameServer.listen(
                pool.vertx,
                new NetServerOptions().setHost("127.0.0.1").setPort(0),
                calls,
                FrameLimits.DEFAULT));
    SegmentEndpoint ask = new StageEndpoint("127.0.0.1", server.port()).toEndpoint();
    pool.master.mount(
        new SegmentInfo(
            new SegmentSpec(
                UUID.randomUUID(), "disk", 1L << 40, "", List.of(ask), SegmentKind.LOCAL_DISK),
            new UUID(1, 1),
            DISK,
            SegmentStatus.OK,
            ClientState.ACTIVE,
            0));
  }

  @AfterEach
  void stop() {
    await(node.unregister(stagingId));
    await(node.close());
    pool.close();
    staging.close();
  }

  private Future<StagedObjects> stage(StageObjects request) {
    asked.add(request);
    if (refusal != ErrorCode.OK) {
      return Future.failedFuture(new StoreException(refusal));
    }
    List<Outcome<Long>> offsets = new ArrayList<>();
    for (long version : request.versions()) {
      byte[] value = values.get(version);
      if (value == null) {
        offsets.add(Outcome.error(ErrorCode.OBJECT_NOT_FOUND));
        continue;
      }
      int length = (int) (request.length() < 0 ? value.length : request.length());
      long at = place(length);
      MemorySegment.copy(
          MemorySegment.ofArray(value), request.offset(), staging.memory(), at, length);
      if (corrupt) {
        staging.memory().set(ValueLayout.JAVA_BYTE, at, (byte) ~value[0]);
      }
      offsets.add(Outcome.of(at));
    }
    return answered.transform(
        now ->
            Future.succeededFuture(
                new StagedObjects(nextBatch++, leaseMillis, stagingInfo, offsets)));
  }

  /**
   * Where the next value goes: behind the last one, so that it is long until a place is used again.
   */
  private long place(int length) {
    if (nextPlace + length > STAGING_BYTES) {
      nextPlace = 0;
    }
    long at = nextPlace;
    nextPlace += length;
    return at;
  }

  private Future<Void> release(ReleaseStaged request) {
    released.add(request.batchId());
    return Future.succeededFuture();
  }

  private byte[] onDisk(MoonpoolClient client, String key, int size, boolean keepMemory) {
    byte[] value = new byte[size];
    new SplittableRandom(size).nextBytes(value);
    await(client.put(key, value, WriteOptions.DEFAULT));
    values.put(pool.master.offload(key, DISK, keepMemory), value);
    return value;
  }

  @Test
  void anObjectThatIsOnDiskOnlyIsStagedFetchedAndGivenBack() {
    MoonpoolClient client = pool.client();
    byte[] small = onDisk(client, "small", 5_000, false);
    byte[] large = onDisk(client, "large", (9 << 20) + 17, false);

    assertThat(await(client.get("small")).getBytes()).isEqualTo(small);
    assertThat(await(client.get("large")).getBytes()).isEqualTo(large);
    assertThat(client.counters().bytesFromDisk()).isEqualTo(small.length + large.length);
    assertThat(client.counters().bytesFromMemory()).isZero();
    Awaitility.await()
        .atMost(5, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(released).hasSameSizeAs(asked).doesNotHaveDuplicates());
  }

  @Test
  void memoryIsReadBeforeDisk() {
    MoonpoolClient client = pool.client();
    byte[] value = onDisk(client, "both", 5_000, true);

    assertThat(await(client.get("both")).getBytes()).isEqualTo(value);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatTheNodeCannotReadIsItsError() {
    MoonpoolClient client = pool.client();
    onDisk(client, "k", 5_000, false);
    refusal = ErrorCode.FILE_READ_FAIL;

    assertThatThrownBy(() -> await(client.get("k")))
        .isInstanceOf(StoreException.class)
        .extracting(failure -> ((StoreException) failure).code())
        .isEqualTo(ErrorCode.FILE_READ_FAIL);
  }

  @Test
  void whatWasStagedForAnotherIsNeverTheValue() {
    MoonpoolClient client = pool.client();
    onDisk(client, "k", 5_000, false);
    corrupt = true;

    assertThatThrownBy(() -> await(client.get("k")))
        .extracting(failure -> ((StoreException) failure).code())
        .isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
  }

  @Test
  void nothingIsFetchedWhenWhatIsStagedIsNotKept() {
    MoonpoolClient client = pool.client();
    onDisk(client, "k", 5_000, false);
    leaseMillis = 0;

    assertThatThrownBy(() -> await(client.get("k")))
        .extracting(failure -> ((StoreException) failure).code())
        .isEqualTo(ErrorCode.LEASE_EXPIRED);
  }

  private List<String> manyOnDisk(MoonpoolClient client, int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add("many-" + i);
      onDisk(client, "many-" + i, 100 + i, false);
    }
    return keys;
  }

  private void assertEqual(List<Outcome<Buffer>> read, List<String> keys) {
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = new byte[100 + i];
      new SplittableRandom(value.length).nextBytes(value);
      assertThat(read.get(i).get().getBytes()).as(keys.get(i)).isEqualTo(value);
    }
  }

  @Test
  void manyValuesTakeFewQuestions() {
    MoonpoolClient client = pool.client();
    List<String> keys = manyOnDisk(client, 500);
    Promise<Void> later = Promise.promise();
    answered = later.future();

    Future<List<Outcome<Buffer>>> reads = client.getBatch(keys);
    Awaitility.await().atMost(5, TimeUnit.SECONDS).until(() -> !asked.isEmpty());
    later.complete();

    assertEqual(await(reads), keys);
    assertThat(asked).hasSizeLessThan(50);
    Awaitility.await()
        .atMost(5, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(released).hasSameSizeAs(asked).doesNotHaveDuplicates());
  }

  @Test
  void oneThatIsMissingDoesNotHarmThoseThatWereAskedForWithIt() {
    MoonpoolClient client = pool.client();
    List<String> keys = manyOnDisk(client, 100);
    onDisk(client, "gone", 7_777, false);
    values.values().removeIf(value -> value.length == 7_777);
    List<String> all = new ArrayList<>(keys);
    all.add("gone");

    List<Outcome<Buffer>> read = await(client.getBatch(all));

    assertEqual(read, keys);
    assertThat(read.getLast().code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }
}
