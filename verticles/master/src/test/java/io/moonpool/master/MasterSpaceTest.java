package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import io.moonpool.protocol.call.StartedObject;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Space: eviction, waiting for it, and its return from writers that are gone. */
@Timeout(60)
class MasterSpaceTest {
  private static final long MIB = 1 << 20;

  private TestMaster test;

  private void start(MasterConfig.Builder config) {
    test = TestMaster.start(config);
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private MasterStats.Snapshot stats() {
    return test.master().stats().snapshot();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void noPutFailsWhileThereIsSomethingToEvict(int metadataLoops) {
    start(TestMaster.config().metadataLoops(metadataLoops).putSpaceWaitMillis(10_000));
    test.node(1, 16 * MIB);
    // Four times what fits, without a pause: eviction has to keep up, and writers to wait for it.
    for (int batch = 0; batch < 64; batch++) {
      int first = batch * 100;
      test.put(
          10_000,
          IntStream.range(first, first + 100).mapToObj(i -> "key-" + i).toArray(String[]::new));
    }
    MasterStats.Snapshot stats = stats();
    assertThat(stats.calls().get(MasterCall.PUT_START))
        .isEqualTo(new MasterStats.CallCounts(64, 6_400, 0, 0));
    assertThat(stats.evictedObjects()).isGreaterThanOrEqualTo(4_700);
    assertThat(stats.memoryUsedBytes()).isLessThanOrEqualTo(16 * MIB);
    assertThat(test.exists("key-6399")).isTrue();
    assertThat(test.exists("key-0")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void leasedObjectsStayAndAPutThatFindsNoSpaceFailsAfterItsWait(int metadataLoops) {
    start(
        TestMaster.config()
            .metadataLoops(metadataLoops)
            .evictionHighWatermark(1)
            .putSpaceWaitMillis(300));
    test.node(1, 4 * MIB);
    String[] keys = IntStream.range(0, 4).mapToObj(i -> "leased-" + i).toArray(String[]::new);
    test.put(MIB - 4_096, keys);
    for (String key : keys) {
      assertThat(test.locate(key).ok()).isTrue();
    }
    assertThat(test.putStart(MIB / 2, "more").getFirst().code())
        .isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    for (String key : keys) {
      assertThat(test.exists(key)).isTrue();
    }
  }

  @Test
  void whatIsAboveTheWatermarkGoesWithoutAPutThatAsks() {
    start(TestMaster.config().evictionHighWatermark(0.5).evictionRatio(0.1));
    test.node(1, 16 * MIB);
    for (int i = 0; i < 24; i++) {
      test.put(MIB / 2, "key-" + i);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> stats().memoryUsedBytes() <= 8 * MIB);
    assertThat(test.exists("key-0")).isFalse();
    assertThat(test.exists("key-23")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void softPinnedObjectsGoLastOrNever(boolean mayGo) {
    start(
        TestMaster.config()
            .evictionHighWatermark(0.6)
            .evictionRatio(0.2)
            .allowEvictSoftPinned(mayGo)
            .putSpaceWaitMillis(2_000));
    test.node(1, 16 * MIB);
    ReplicateConfig pinned =
        new ReplicateConfig(
            1,
            SoftPinAction.ENABLE,
            OptionalLong.of(3_600_000),
            false,
            List.of(),
            false,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            List.of());
    for (int i = 0; i < 12; i++) {
      Outcome<StartedObject> started = test.putStart(pinned, MIB, "pinned-" + i).getFirst();
      if (started.ok()) {
        assertThat(test.end("pinned-" + i, started.get()).ok()).isTrue();
      }
    }
    if (mayGo) {
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stats().evictedObjects() > 0);
    } else {
      test.put(MIB, "unpinned-1", "unpinned-2", "unpinned-3");
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stats().evictedObjects() >= 3);
      for (int i = 0; i < 12; i++) {
        assertThat(test.exists("pinned-" + i)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theSpaceOfAWriterThatWasKilledReturnsWhenItsGrantHasEnded(int metadataLoops) {
    start(
        TestMaster.config()
            .metadataLoops(metadataLoops)
            .writeGrantMillis(1_000)
            .clockSkewMillis(50)
            .putSpaceWaitMillis(0));
    test.node(1, 4 * MIB);
    assertThat(test.putStart(3 * MIB, "killed").getFirst().ok()).isTrue();
    long used = stats().memoryUsedBytes();
    assertThat(used).isGreaterThanOrEqualTo(3 * MIB);
    assertThat(test.putStart(3 * MIB, "next").getFirst().code())
        .isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(test.putStart(1, "killed").getFirst().code())
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);

    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stats().memoryUsedBytes() == 0);
    assertThat(stats().reapedWrites()).isEqualTo(1);
    assertThat(stats().objects()).isZero();
    test.put(3 * MIB, "next");
  }

  @Test
  void revokedSpaceWaitsForTheEndOfTheGrant() {
    start(TestMaster.config().writeGrantMillis(2_000).clockSkewMillis(0).putSpaceWaitMillis(0));
    test.node(1, 4 * MIB);
    StartedObject started = test.upsertStart(3 * MIB, "key").getFirst().get();
    assertThat(test.upsertStart(1_000, "key").getFirst().ok()).isTrue();
    // The first writer was preempted and may still write until its grant ends.
    assertThat(test.end("key", started).code()).isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(stats().quarantinedBytes()).isEqualTo(3 * MIB);
    assertThat(test.putStart(3 * MIB, "other").getFirst().code())
        .isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stats().quarantinedBytes() == 0);
    test.put(3 * MIB, "other");
  }
}
