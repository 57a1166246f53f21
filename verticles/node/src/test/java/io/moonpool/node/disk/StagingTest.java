package io.moonpool.node.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.ReleaseStaged;
import io.moonpool.protocol.call.StageObjects;
import io.moonpool.protocol.call.StagedObjects;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Blocks of staging memory are lent, waited for, given back, and taken back. */
class StagingTest {
  private static final long BLOCK = StagingMemory.ALIGNMENT;
  private static final long LEASE_MILLIS = 1_000;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final DiskWorkers workers = new DiskWorkers(vertx, 2, 100);
  private final MemorySegment memory = Arena.ofAuto().allocate(4 * BLOCK, BLOCK);
  private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final Map<Long, byte[]> disk = new ConcurrentHashMap<>();
  private volatile ErrorCode failure = ErrorCode.OK;

  private final ValueSource source =
      new ValueSource() {
        @Override
        public long size(long version) {
          byte[] value = disk.get(version);
          return value == null ? ABSENT : value.length;
        }

        @Override
        public long blockBytes(long offset, long length) {
          return (offset + length + BLOCK - 1) / BLOCK * BLOCK - offset / BLOCK * BLOCK;
        }

        @Override
        public Outcome<Long> read(long version, long offset, long length, MemorySegment block) {
          if (failure != ErrorCode.OK) {
            return Outcome.error(failure);
          }
          long first = offset / BLOCK * BLOCK;
          byte[] value = disk.get(version);
          MemorySegment.copy(
              MemorySegment.ofArray(value),
              first,
              block,
              0,
              Math.min(value.length - first, block.byteSize()));
          return Outcome.of(offset - first);
        }

        @Override
        public Outcome<Long> readUnreported(
            long version, long offset, long length, MemorySegment block) {
          return read(version, offset, length, block);
        }

        @Override
        public boolean matches(long version, int crc) {
          return failure == ErrorCode.OK;
        }
      };

  private final Staging staging =
      new Staging(
          new StagingMemory(memory),
          new SegmentInfo(
              SegmentSpec.memory(new UUID(1, 1), "staging", 4 * BLOCK, "", List.of()),
              new UUID(2, 2),
              1,
              SegmentStatus.OK,
              ClientState.ACTIVE,
              0),
          source,
          workers,
          LEASE_MILLIS,
          2,
          nowNanos::get);

  @AfterEach
  void close() throws Exception {
    workers.close().await(10, TimeUnit.SECONDS);
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private <T> Future<T> on(Supplier<Future<T>> call) {
    Promise<T> promise = Promise.promise();
    loop.runOnContext(ignored -> call.get().onComplete(promise));
    return promise.future();
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(10, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("not complete after 10 s", e);
    }
  }

  private Future<StagedObjects> stage(long offset, long length, long... versions) {
    KeyBatch keys = new KeyBatch(versions.length);
    for (long version : versions) {
      keys.add("k" + version);
    }
    return on(() -> staging.stage(new StageObjects("", keys, versions, offset, length)));
  }

  private void release(StagedObjects staged) {
    await(on(() -> staging.release(new ReleaseStaged(staged.batchId()))));
  }

  private void tick() {
    await(
        on(
            () -> {
              staging.tick();
              return Future.succeededFuture();
            }));
  }

  private void store(long version, int size) {
    byte[] value = new byte[size];
    for (int i = 0; i < size; i++) {
      value[i] = (byte) (i * 31 + version);
    }
    disk.put(version, value);
  }

  private byte[] at(StagedObjects staged, int item, long length) {
    return memory.asSlice(staged.offsets().get(item).get(), length).toArray(ValueLayout.JAVA_BYTE);
  }

  private static void assertFails(Future<?> future, ErrorCode code) {
    assertThatThrownBy(() -> await(future))
        .isInstanceOf(StoreException.class)
        .extracting(failed -> ((StoreException) failed).code())
        .isEqualTo(code);
  }

  @Test
  void wholeValuesAndParts() {
    store(1, 5_000);
    store(2, 100);

    StagedObjects whole = await(stage(0, -1, 1, 2));
    assertThat(at(whole, 0, 5_000)).isEqualTo(disk.get(1L));
    assertThat(at(whole, 1, 100)).isEqualTo(disk.get(2L));
    assertThat(whole.leaseMillis()).isEqualTo(LEASE_MILLIS);
    release(whole);

    StagedObjects part = await(stage(4_500, 499, 1));
    assertThat(at(part, 0, 499)).isEqualTo(Arrays.copyOfRange(disk.get(1L), 4_500, 4_999));
  }

  @Test
  void whatIsNotThereIsToldPerItem() {
    store(1, 100);

    StagedObjects staged = await(stage(50, 51, 1, 9));

    assertThat(staged.offsets())
        .extracting(Outcome::code)
        .containsExactly(ErrorCode.INVALID_PARAMS, ErrorCode.OBJECT_NOT_FOUND);
  }

  @Test
  void whatCannotBeReadIsToldAndItsMemoryComesBack() {
    store(1, 4 * (int) BLOCK);
    failure = ErrorCode.FILE_READ_FAIL;

    StagedObjects staged = await(stage(0, -1, 1));
    assertThat(staged.offsets().getFirst().code()).isEqualTo(ErrorCode.FILE_READ_FAIL);
    assertThat(staging.failures.sum()).isEqualTo(1);
    release(staged);

    failure = ErrorCode.OK;
    assertThat(await(stage(0, -1, 1)).offsets().getFirst().ok()).isTrue();
  }

  @Test
  void aRequestWaitsForMemoryThatIsGivenBack() {
    store(1, 3 * (int) BLOCK);
    store(2, 2 * (int) BLOCK);
    store(3, 1);
    StagedObjects first = await(stage(0, -1, 1));

    Future<StagedObjects> second = stage(0, -1, 2);
    Future<StagedObjects> third = stage(0, -1, 3); // would fit, but comes later
    Future<StagedObjects> fourth = stage(0, -1, 3);

    assertFails(fourth, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(second.isComplete()).isFalse();
    assertThat(third.isComplete()).isFalse();
    release(first);
    assertThat(at(await(second), 0, 2 * BLOCK)).isEqualTo(disk.get(2L));
    assertThat(at(await(third), 0, 1)).isEqualTo(disk.get(3L));
  }

  @Test
  void memoryIsTakenBackWhenTheLeaseIsOverAndNotBefore() {
    store(1, 4 * (int) BLOCK);
    StagedObjects first = await(stage(0, -1, 1));
    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS) / 2);
    Future<StagedObjects> second = stage(0, -1, 1);
    tick();
    assertThat(second.isComplete()).isFalse();

    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS) / 2);
    tick();

    await(second);
    assertThat(staging.expired.sum()).isEqualTo(1);
    release(first); // too late: what is there now is the second one's
    Future<StagedObjects> third = stage(0, -1, 1);
    tick();
    assertThat(third.isComplete()).isFalse();
    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS) - 1);
    tick();
    assertThat(third.isComplete()).isFalse();
  }

  @Test
  void aRequestDoesNotWaitForLongerThanALease() {
    store(1, 4 * (int) BLOCK);
    await(stage(0, -1, 1));
    nowNanos.addAndGet(1);
    Future<StagedObjects> second = stage(0, -1, 1);
    Future<StagedObjects> third = stage(0, -1, 1);
    tick(); // both wait from here on
    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS));

    tick();

    assertThat(await(second).offsets().getFirst().ok()).isTrue();
    assertFails(third, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
  }

  @Test
  void whatCanNeverFitIsRefused() {
    store(1, 4 * (int) BLOCK + 1);

    assertFails(stage(0, -1, 1), ErrorCode.BUFFER_OVERFLOW);
    assertThat(await(stage(0, 4 * BLOCK, 1)).offsets().getFirst().ok()).isTrue();
  }

  @Test
  void malformedRequestsAreRefused() {
    store(1, 10);

    assertFails(stage(-1, 5, 1), ErrorCode.INVALID_PARAMS);
    assertFails(stage(0, -2, 1), ErrorCode.INVALID_PARAMS);
    assertFails(stage(0, -1), ErrorCode.INVALID_PARAMS);
    assertFails(
        on(() -> staging.stage(new StageObjects("", KeyBatch.of("k"), new long[] {1, 2}, 0, -1))),
        ErrorCode.INVALID_PARAMS);
  }

  private Future<Staging.Block> borrow(long blocks, long giveUpNanos) {
    return on(() -> staging.borrow(blocks * BLOCK, giveUpNanos));
  }

  private void giveBack(Staging.Block block) {
    await(
        on(
            () -> {
              staging.giveBack(block);
              return Future.succeededFuture();
            }));
  }

  @Test
  void theNodeItselfWaitsInTheSameLine() {
    store(1, 2 * (int) BLOCK);
    Staging.Block first = await(borrow(3, 0));
    Future<StagedObjects> reader = stage(0, -1, 1);
    tick(); // the reader is in line from here on
    Future<Staging.Block> second = borrow(1, nowNanos.get() + 1);
    Future<Staging.Block> third = borrow(1, nowNanos.get() + 2);
    tick();
    assertThat(second.isComplete()).as("one block is free, but the reader came first").isFalse();

    giveBack(first);

    StagedObjects staged = await(reader);
    assertThat(at(staged, 0, 2 * BLOCK)).isEqualTo(disk.get(1L));
    Staging.Block mine = await(second);
    long stagedAt = staged.offsets().getFirst().get();
    assertThat(mine.offset() < stagedAt || mine.offset() >= stagedAt + 2 * BLOCK).isTrue();
    assertThat(await(third).offset()).isNotEqualTo(mine.offset());
  }

  @Test
  void whoHasWaitedLongEnoughLetsTheNextOnesPass() {
    Staging.Block first = await(borrow(3, 0));
    Future<Staging.Block> large = borrow(4, nowNanos.get() + 5);
    Future<Staging.Block> small = borrow(1, nowNanos.get() + 9);
    tick();
    assertThat(small.isComplete()).isFalse();

    nowNanos.addAndGet(5);
    tick();

    assertFails(large, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(await(small).bytes()).isEqualTo(BLOCK);
    giveBack(first);
    assertThat(await(borrow(3, 0)).bytes()).isEqualTo(3 * BLOCK);
  }
}
