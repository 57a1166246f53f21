package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.rig.Ablation;
import io.moonpool.master.rig.MasterRig;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A master that knows segments and objects from the start, and nodes that come back to it. */
@Timeout(90)
class MasterRestoreTest {
  private static final int NODES = 3;
  private static final int OBJECTS = 300;
  private static final long SIZE = 1_000;

  private TestMaster test;

  @AfterEach
  void stop() {
    test.close();
  }

  private void start(int metadataLoops, long ttlMillis, Ablation ablation) {
    MasterConfig config =
        MasterConfig.builder()
            .metadataLoops(metadataLoops)
            .clientActiveTtlMillis(ttlMillis)
            .clientSuspicionTtlMillis(ttlMillis)
            .ephemeral()
            .build();
    test =
        TestMaster.of(
            TestMaster.await(
                Master.start(
                    config,
                    new VertxOptions(),
                    UnaryOperator.identity(),
                    List.of(),
                    new MasterRig(MasterRestoreTest::fill, ablation))));
  }

  private static void fill(RestoredPool pool) {
    SegmentMount[] mounts = new SegmentMount[NODES];
    for (int node = 0; node < NODES; node++) {
      mounts[node] = pool.segment(nodeId(node), spec(node));
    }
    ObjectKey key = new ObjectKey();
    for (int i = 0; i < OBJECTS; i++) {
      byte[] bytes = ("k" + i).getBytes(StandardCharsets.UTF_8);
      pool.object(key.set(bytes, 0, bytes.length, 0), SIZE, Checksum.crc32c(i), mounts[i % NODES]);
    }
  }

  private static UUID nodeId(int node) {
    return new UUID(0x10DE, node);
  }

  private static SegmentSpec spec(int node) {
    return SegmentSpec.memory(new UUID(0x5E6, node), "s" + node, 1 << 20, "", List.of());
  }

  private NodeRegistration comeBack(int node) {
    NodeRegistration registration =
        test.call(Calls.REGISTER_NODE, new RegisterNode(nodeId(node), new UUID(1, 1), "", ""));
    assertThat(
            test.call(
                    Calls.MOUNT_SEGMENTS,
                    new MountSegments(
                        nodeId(node), registration.incarnation(), List.of(spec(node))))
                .getFirst()
                .ok())
        .isTrue();
    return registration;
  }

  private long served(int node) {
    long count = 0;
    for (int i = node; i < OBJECTS; i += NODES) {
      count += test.exists("k" + i) ? 1 : 0;
    }
    return count;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatNodesMountAgainIsServedAndNothingElse(int metadataLoops) {
    start(metadataLoops, 600_000, Ablation.NONE);
    assertThat(test.master().stats().snapshot().objects()).isEqualTo(OBJECTS);
    assertThat(test.locate("k0").code()).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])))
        .hasSize(NODES)
        .extracting(SegmentInfo::ownerState)
        .containsOnly(ClientState.SUSPECTED);
    // Nothing is placed on what may be gone.
    assertThat(test.putStartCode(10, "new")).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);

    comeBack(1);

    assertThat(served(1)).isEqualTo(OBJECTS / NODES);
    assertThat(served(0) + served(2)).isZero();
    assertThat(test.locate("k1").get().checksum()).isEqualTo(Checksum.crc32c(1));
    test.put(10, "new");
    assertThat(test.exists("new")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatNoNodeMountsAgainIsForgottenAlone(int metadataLoops) {
    start(metadataLoops, 4_000, Ablation.NONE);
    NodeRegistration back = comeBack(1);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              test.call(Calls.PING, new Ping(back.slot(), back.incarnation(), 1));
              return test.master().stats().snapshot().objects() == OBJECTS / NODES;
            });
    assertThat(test.locate("k0").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0]))).hasSize(1);
    // The node may lend the same memory anew; it is empty then.
    comeBack(0);
    assertThat(served(0)).isZero();
  }

  /** What the rig takes away changes when things happen, not what happens. */
  @ParameterizedTest
  @EnumSource(Ablation.class)
  void aMasterWithoutAProtectionAnswersTheSame(Ablation ablation) {
    start(1, 600_000, ablation);
    NodeRegistration back = comeBack(2);
    assertThat(served(2)).isEqualTo(OBJECTS / NODES);
    assertThat(test.call(Calls.PING, new Ping(back.slot(), back.incarnation(), 1)).status())
        .isEqualTo(PingStatus.OK);
  }
}
