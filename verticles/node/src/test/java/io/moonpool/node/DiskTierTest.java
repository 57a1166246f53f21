package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.OffloadConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import io.moonpool.node.disk.DiskConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects that outlive their memory on real files: offload, reads from disk, restarts, removals.
 */
class DiskTierTest {
  private static final int OBJECT_BYTES = 2 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private NodeConfig withDisk(Cluster cluster, String name) {
    return cluster
        .settings(name)
        .segmentBytes(List.of("32MiB"))
        .disk(DiskConfig.in(directory.resolve("disk-" + name)))
        .build();
  }

  private static byte[] value(int number, int bytes) {
    byte[] value = new byte[bytes];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private static void awaitOffloaded(Node node, long objects) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(node.diskStats().offloaded()).isGreaterThanOrEqualTo(objects));
  }

  private static boolean onDiskOnly(MoonpoolClient client, String key) {
    List<ReplicaDescriptor> replicas = await(client.describe(key)).replicas();
    return replicas.stream().allMatch(replica -> replica.type() == ReplicaType.LOCAL_DISK);
  }

  @Test
  void objectsThatDoNotFitIntoMemoryAreReadFromDisk() {
    try (Cluster cluster = new Cluster(directory, settings -> settings.evictionRatio(0.3))) {
      Node node = cluster.node(withDisk(cluster, "a"));
      MoonpoolClient client = cluster.client();
      int objects = 40; // 80 MiB into 32

      for (int i = 0; i < objects; i++) {
        await(client.put("k" + i, value(i, OBJECT_BYTES), WriteOptions.DEFAULT));
        awaitOffloaded(node, i - 8);
      }
      awaitOffloaded(node, objects);

      int fromDisk = 0;
      for (int i = 0; i < objects; i++) {
        fromDisk += onDiskOnly(client, "k" + i) ? 1 : 0;
        assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(value(i, OBJECT_BYTES));
      }
      assertThat(fromDisk).isGreaterThan(objects / 2);
    }
  }

  @Test
  void whatIsOnDiskIsThereAgainWhenTheNodeIs() {
    try (Cluster cluster = new Cluster(directory)) {
      NodeConfig config = withDisk(cluster, "a");
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      for (int i = 0; i < 10; i++) {
        await(client.put("k" + i, value(i, 7001 + i), WriteOptions.DEFAULT));
      }
      awaitOffloaded(node, 10);
      await(client.remove("k3", true));
      await(client.upsert("k4", value(44, 5_000), WriteOptions.DEFAULT));
      awaitOffloaded(node, 11);
      await(node.close());
      assertFails(() -> await(client.get("k1")), ErrorCode.OBJECT_NOT_FOUND);

      Node again = cluster.node(config);

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(again.diskStats().scans()).isEqualTo(1));
      for (int i = 0; i < 10; i++) {
        int number = i;
        if (i == 3) {
          assertFails(() -> await(client.get("k" + number)), ErrorCode.OBJECT_NOT_FOUND);
        } else {
          byte[] expected = i == 4 ? value(44, 5_000) : value(i, 7001 + i);
          assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void whatIsOnDiskIsThereAgainWhenTheMasterIs() {
    try (Cluster cluster = new Cluster(directory)) {
      Node node = cluster.node(withDisk(cluster, "a"));
      MoonpoolClient client = cluster.client();
      for (int i = 0; i < 20; i++) {
        await(client.put("k" + i, value(i, 4096 * (i + 1)), WriteOptions.DEFAULT));
      }
      awaitOffloaded(node, 20);

      cluster.stopMaster();
      cluster.restartMaster();

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(node.diskStats().scans()).isEqualTo(2));
      for (int i = 0; i < 20; i++) {
        assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(value(i, 4096 * (i + 1)));
      }
    }
  }

  /** A member of a group with a pin. */
  private static WriteOptions pinned(
      SoftPinAction softPin, OptionalLong ttlMillis, boolean hardPin) {
    return WriteOptions.of(
        new ReplicateConfig(
            1,
            softPin,
            ttlMillis,
            hardPin,
            List.of(),
            false,
            ObjectDataType.UNKNOWN,
            "",
            List.of("g")));
  }

  @Test
  void pinsAndGroupsOutliveNodeAndMaster() {
    try (Cluster cluster = new Cluster(directory)) {
      NodeConfig config = withDisk(cluster, "a");
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      long ttlMillis = 600_000;
      await(
          client.put(
              "soft",
              value(1, 7001),
              pinned(SoftPinAction.ENABLE, OptionalLong.of(ttlMillis), false)));
      await(
          client.put(
              "hard", value(2, 7001), pinned(SoftPinAction.PRESERVE, OptionalLong.empty(), true)));
      await(client.put("none", value(3, 7001), WriteOptions.DEFAULT));
      awaitOffloaded(node, 3);
      await(node.close());
      cluster.stopMaster();
      cluster.restartMaster();

      Node again = cluster.node(config);
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(again.diskStats().scans()).isEqualTo(1));

      ObjectInfo soft = await(client.describe("soft"));
      assertThat(soft.softPinRemainingMillis()).isBetween(ttlMillis / 2, ttlMillis);
      assertThat(soft.hardPinned()).isFalse();
      assertThat(soft.group()).isEqualTo("g");
      ObjectInfo hard = await(client.describe("hard"));
      assertThat(hard.softPinRemainingMillis()).isZero();
      assertThat(hard.hardPinned()).isTrue();
      assertThat(hard.group()).isEqualTo("g");
      ObjectInfo none = await(client.describe("none"));
      assertThat(none.softPinRemainingMillis()).isZero();
      assertThat(none.hardPinned()).isFalse();
      assertThat(none.group()).isEmpty();
    }
  }

  /** Objects of 4 MiB fill a segment of 64 MiB; half of it is to become free. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void evictionFreesMemoryAndLosesNothing(boolean onEvict) {
    try (Cluster cluster =
        new Cluster(
            directory,
            settings -> settings.evictionRatio(0.5).metadataLoops(2).offload(offload(onEvict)))) {
      NodeConfig config =
          cluster
              .settings("a")
              .segmentBytes(List.of("64MiB"))
              .disk(DiskConfig.in(directory.resolve("disk-a")))
              .build();
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      int objects = 16;
      for (int i = 0; i < objects; i++) {
        await(client.put("k" + i, value(i, 4 << 20), WriteOptions.DEFAULT));
      }

      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                long onDisk = onDiskOnly(client, objects);
                assertThat(onDisk).isBetween(6L, 10L);
                assertThat(node.diskStats().offloaded()).isEqualTo(onEvict ? onDisk : objects);
                assertThat(cluster.master().stats().snapshot().memoryUsedBytes())
                    .isEqualTo((objects - onDisk) * (4 << 20));
              });
      for (int i = 0; i < objects; i++) {
        assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(value(i, 4 << 20));
      }
      assertThat(onDiskOnly(client, objects)).as("nothing more goes").isBetween(6L, 10L);
    }
  }

  @Test
  void aWriteWaitsUntilWhatIsInItsPlaceIsOnDisk() {
    try (Cluster cluster =
        new Cluster(
            directory,
            settings ->
                settings.evictionRatio(0.2).putSpaceWaitMillis(10_000).offload(offload(true)))) {
      cluster.node(withDisk(cluster, "a"));
      MoonpoolClient client = cluster.client();
      int objects = 48; // 96 MiB into 32

      for (int i = 0; i < objects; i++) {
        await(client.put("k" + i, value(i, OBJECT_BYTES), WriteOptions.DEFAULT));
      }

      assertThat(onDiskOnly(client, objects)).isGreaterThanOrEqualTo(objects * 2 / 3);
      for (int i = 0; i < objects; i++) {
        assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(value(i, OBJECT_BYTES));
      }
    }
  }

  @Test
  void whatIsInMemoryOnlyIsWrittenToDiskWhenTheNodeCloses() {
    try (Cluster cluster = new Cluster(directory, settings -> settings.offload(offload(true)))) {
      NodeConfig config = withDisk(cluster, "a");
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      for (int i = 0; i < 12; i++) {
        await(client.put("k" + i, value(i, OBJECT_BYTES + i), WriteOptions.DEFAULT));
      }
      assertThat(node.diskStats().offloaded()).isZero();

      await(node.close());
      assertThat(node.diskStats().offloaded()).isEqualTo(12);

      Node again = cluster.node(config);
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(again.diskStats().scans()).isEqualTo(1));
      for (int i = 0; i < 12; i++) {
        assertThat(onDiskOnly(client, "k" + i)).isTrue();
        assertThat(await(client.get("k" + i)).getBytes()).isEqualTo(value(i, OBJECT_BYTES + i));
      }
    }
  }

  @Test
  void aNodeThatClosesWithoutRoomOnItsDiskSaysWhatIsLost() {
    try (Cluster cluster = new Cluster(directory, settings -> settings.offload(offload(true)))) {
      NodeConfig config =
          cluster
              .settings("a")
              .segmentBytes(List.of("32MiB"))
              .disk(small(directory.resolve("disk-a"), 10 << 20, 1_500))
              .build();
      Node node = cluster.node(config);
      MoonpoolClient client = cluster.client();
      for (int i = 0; i < 14; i++) {
        await(client.put("key-" + i, value(i, OBJECT_BYTES), WriteOptions.DEFAULT));
      }

      assertFails(() -> cluster.close(node), ErrorCode.PERSISTENT_FAIL);
      assertThatThrownBy(() -> await(node.close()))
          .as("closing twice is closing once")
          .hasMessageContaining("were in memory only and are lost")
          .hasMessageContaining("key-");

      Node again = cluster.node(config);
      assertThat(again.id()).as("everything was given back").isEqualTo(node.id());
    }
  }

  private static DiskConfig small(Path directory, long quotaBytes, long shutdownMillis) {
    DiskConfig defaults = DiskConfig.in(directory);
    return new DiskConfig(
        defaults.dir(),
        quotaBytes,
        defaults.evictionPolicy(),
        defaults.highWatermark(),
        defaults.lowWatermark(),
        defaults.bucketKeys(),
        defaults.bucketBytes(),
        defaults.bucketLingerMillis(),
        defaults.stagingBytes(),
        defaults.stagingLeaseMillis(),
        defaults.port(),
        defaults.threads(),
        defaults.queueLimit(),
        shutdownMillis);
  }

  private static OffloadConfig offload(boolean onEvict) {
    OffloadConfig defaults = OffloadConfig.DEFAULT;
    return new OffloadConfig(
        true,
        onEvict,
        defaults.forceEvict(),
        defaults.queueLimit(),
        defaults.capRatio(),
        defaults.holdMillis());
  }

  private static long onDiskOnly(MoonpoolClient client, int objects) {
    return IntStream.range(0, objects).filter(i -> onDiskOnly(client, "k" + i)).count();
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreException.class)
        .extracting(failure -> ((StoreException) failure).code())
        .isEqualTo(code);
  }
}
