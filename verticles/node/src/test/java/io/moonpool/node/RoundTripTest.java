package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.MasterConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of all sizes through a whole cluster. */
class RoundTripTest {
  @TempDir Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() {
    cluster = new Cluster(directory);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  static byte[] random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aNodeThatWasClosedStartsAgainAtOnce() {
    cluster.node("b");
    // A predecessor that is only silent would have to be waited for until the active TTL is over.
    long patienceMillis = 2_000;
    assertThat(patienceMillis).isLessThan(MasterConfig.DEFAULT.clientActiveTtlMillis() / 2);
    NodeConfig settings = cluster.settings("a").registerTimeoutMillis(patienceMillis).build();
    MoonpoolClient client = cluster.client();
    Set<UUID> ids = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      Node node = cluster.node(settings);
      assertThat(node.isReady()).isTrue();
      ids.add(node.id());
      await(client.put("key-" + round, random(10_000, round), WriteOptions.replicas(2)));
      await(node.close());
      assertThat(await(client.segments()))
          .noneMatch(segment -> segment.nodeId().equals(node.id()))
          .isNotEmpty();
    }
    assertThat(ids).hasSize(1);
    assertThat(cluster.master().stats().snapshot().departures()).isEqualTo(3);
    assertThat(cluster.master().stats().snapshot().offlineTransitions()).isZero();
  }

  @Test
  void allSizes() {
    cluster.node(cluster.settings("a").segmentBytes(List.of("256MiB")).build());
    MoonpoolClient client = cluster.client();
    for (int size : new int[] {1, 2, 100, 4_095, 4_096, 65_537, 1 << 20, (1 << 20) + 1, 10 << 20}) {
      byte[] value = random(size, size);
      await(client.put("key-" + size, value));
      assertThat(await(client.getBytes("key-" + size))).isEqualTo(value);
    }
    MemorySegment large = Arena.ofAuto().allocate(100 << 20);
    large.asSlice(50 << 20).copyFrom(MemorySegment.ofArray(random(50 << 20, 7)));
    await(client.putFrom("large", large));
    MemorySegment target = Arena.ofAuto().allocate(100 << 20);
    assertThat(await(client.getInto("large", target))).isEqualTo(100 << 20);
    assertThat(target.mismatch(large)).isEqualTo(-1);
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.put("empty", new byte[0])));
  }

  @Test
  void severalReplicasAreOnSeveralSegments() {
    cluster.node("a");
    cluster.node("b");
    MoonpoolClient client = cluster.client();
    byte[] value = random(2 << 20, 1);
    await(client.put("key", value, WriteOptions.replicas(2)));
    assertThat(await(client.segments()))
        .hasSize(2)
        .allMatch(segment -> segment.usedBytes() >= value.length);
    for (int i = 0; i < 4; i++) {
      assertThat(await(client.getBytes("key"))).isEqualTo(value);
    }
  }
}
