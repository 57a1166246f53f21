package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static io.moonpool.node.RoundTripTest.assertFails;
import static io.moonpool.node.RoundTripTest.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.with;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.MasterConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients see when nodes, writers and the master come and go. */
class FailureTest {
  @TempDir Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() {
    cluster = new Cluster(directory, FailureTest::impatient);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static MasterConfig.Builder impatient(MasterConfig.Builder settings) {
    return settings
        .clientActiveTtlMillis(2_000)
        .clientSuspicionTtlMillis(500)
        .leaseTtlMillis(1_000)
        .writeGrantMillis(1_000)
        .clockSkewMillis(10);
  }

  private static ConditionFactory soon() {
    return with().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(30));
  }

  private long used(MoonpoolClient client) {
    return await(client.segments()).stream().mapToLong(SegmentInfo::usedBytes).sum();
  }

  @Test
  void getsGoOnWhileANodeCloses() {
    Node first = cluster.node("a");
    cluster.node("b");
    MoonpoolClient client = cluster.client();
    byte[] value = random(300_000, 1);
    for (int i = 0; i < 20; i++) {
      await(client.put("key-" + i, value, WriteOptions.replicas(2)));
    }
    Future<Void> closed = first.close();
    int gets = 0;
    while (!closed.isComplete() || gets < 40) {
      assertThat(await(client.getBytes("key-" + gets++ % 20))).isEqualTo(value);
    }
    assertThat(closed.succeeded()).isTrue();
    assertThat(await(client.segments())).hasSize(1);
  }

  @Test
  void aKilledNodeLeavesItsReplicasElsewhereReadableAndComesBack() throws IOException {
    cluster.node("a");
    MoonpoolClient client = cluster.client();
    Path data = directory.resolve("killed");
    byte[] value = random(300_000, 2);
    UUID nodeId;
    try (NodeProcess node = NodeProcess.start(cluster.master().ports().rpc(), data)) {
      nodeId = await(client.segments()).get(1).nodeId();
      for (int i = 0; i < 20; i++) {
        await(client.put("key-" + i, value, WriteOptions.replicas(2)));
      }
      node.kill();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(await(client.getBytes("key-" + i))).isEqualTo(value);
    }
    soon().until(() -> await(client.segments()).size() == 1);
    for (int i = 0; i < 20; i++) {
      assertThat(await(client.getBytes("key-" + i))).isEqualTo(value);
    }
    try (NodeProcess again = NodeProcess.start(cluster.master().ports().rpc(), data)) {
      assertThat(again.pid()).isPositive();
      List<SegmentInfo> segments = await(client.segments());
      assertThat(segments).hasSize(2).anyMatch(segment -> segment.nodeId().equals(nodeId));
      await(client.put("anew", value, WriteOptions.replicas(2)));
      assertThat(await(client.getBytes("anew"))).isEqualTo(value);
    }
  }

  @Test
  void writesAvoidANodeThatHasJustDied() throws IOException {
    try (Cluster patient = new Cluster(directory.resolve("patient"))) {
      patient.node("a");
      patient.node("b");
      MoonpoolClient client = patient.client();
      byte[] value = random(300_000, 50);
      try (NodeProcess node =
          NodeProcess.start(patient.master().ports().rpc(), directory.resolve("killed"))) {
        await(client.put("before", value, WriteOptions.replicas(3)));
        node.kill();
        for (int i = 0; i < 20; i++) {
          await(client.put("one-" + i, value));
          await(client.upsert("before", value, WriteOptions.replicas(3)));
        }
        assertThat(await(client.segments())).as("the master does not know yet").hasSize(3);
        assertThat(client.counters().repeatedWrites()).isGreaterThanOrEqualTo(20);
        for (int i = 0; i < 20; i++) {
          assertThat(await(client.getBytes("one-" + i))).isEqualTo(value);
        }
        assertThat(await(client.describe("before")).replicas()).hasSize(2);
      }
    }
  }

  @Test
  void aPutWithoutAnySegmentSaysSoAtOnce() {
    MoonpoolClient client = cluster.client();
    WriteOptions patient = WriteOptions.DEFAULT.withSpaceWaitMillis(600_000);
    for (Future<?> put :
        List.of(
            client.put("key", new byte[] {1}, patient),
            client.upsert("key", new byte[] {1}, patient))) {
      assertThatThrownBy(() -> await(put))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE))
          .hasMessageContaining("no memory segment takes objects")
          .hasMessageContaining("start a node");
    }
    assertThat(client.counters().spaceWaits()).isZero();
    cluster.node("a");
    await(client.put("key", new byte[] {1}));
  }

  @Test
  void aDirectoryHasOneOwner() throws IOException {
    Path data = directory.resolve("owned");
    try (NodeProcess owner = NodeProcess.start(cluster.master().ports().rpc(), data)) {
      NodeConfig second = cluster.settings("x").dataDir(data.toString()).build();
      assertThatThrownBy(() -> await(Node.start(cluster.vertx(), second)))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_LOCK_FAIL))
          .hasMessageContaining("process " + owner.pid());
    }
  }

  @Test
  void aNodeIdHasOneOwner() throws IOException {
    Node first = cluster.node("a");
    Path copy = directory.resolve("copy");
    java.nio.file.Files.createDirectories(copy);
    java.nio.file.Files.copy(directory.resolve("a/node-id"), copy.resolve("node-id"));
    NodeConfig second =
        cluster.settings("b").dataDir(copy.toString()).registerTimeoutMillis(300).build();
    assertThatThrownBy(() -> await(Node.start(cluster.vertx(), second)))
        .hasMessageContaining("in use by a live node at 127.0.0.1:" + first.httpPort());
    // Nothing of it is left: the directory is free.
    DataDirectory.open(copy).close();
    assertThat(first.isReady()).isTrue();
  }

  @Test
  void nodesMountAgainWhenTheMasterRestarts() {
    Node node = cluster.node("a");
    MoonpoolClient client = cluster.client();
    byte[] value = random(300_000, 3);
    await(client.put("key", value));
    cluster.stopMaster();
    assertFails(ErrorCode.RPC_FAIL, () -> await(client.get("key")));
    cluster.restartMaster();
    soon().until(node::isReady);
    soon()
        .untilAsserted(
            () -> assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(client.get("key"))));
    byte[] anew = random(200_000, 4);
    soon().until(() -> await(client.put("key", anew).map(true).otherwise(false)));
    assertThat(await(client.getBytes("key"))).isEqualTo(anew);
  }

  @Test
  void aNodeWaitsForItsMaster() {
    cluster.stopMaster();
    Future<Node> starting = Node.start(cluster.vertx(), cluster.settings("early").build());
    cluster.restartMaster();
    Node node = await(starting);
    assertThat(node.isReady()).isTrue();
    MoonpoolClient client = cluster.client();
    await(client.put("key", new byte[] {1}));
    await(node.close());
    await(node.close());
    soon().until(() -> await(client.segments()).isEmpty());
    assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(client.get("key")));
  }

  @Test
  void aWriterThatDiesLeavesNothingVisibleAndItsSpaceComesBack() {
    cluster.node("a");
    MoonpoolClient client = cluster.client();
    long before = used(client);
    try (MasterCaller writer = caller()) {
      List<Outcome<StartedObject>> started =
          writer.call(
              Calls.PUT_START,
              new StartObjects(
                  UUID.randomUUID(),
                  "",
                  KeyBatch.of("key"),
                  new long[] {10 << 20},
                  ReplicateConfig.DEFAULT));
      assertThat(started.getFirst().ok()).isTrue();
    }
    assertThat(used(client)).isGreaterThanOrEqualTo(before + (10 << 20));
    assertThat(await(client.exists("key"))).isFalse();
    assertThat(await(client.get("key").map(true).otherwise(false))).isFalse();
    assertFails(ErrorCode.OBJECT_ALREADY_EXISTS, () -> await(client.put("key", random(10, 5))));
    soon().until(() -> used(client) == before);
    await(client.put("key", random(10, 6)));
    assertThat(await(client.getBytes("key"))).isEqualTo(random(10, 6));
  }

  private MasterCaller caller() {
    return new MasterCaller(cluster.vertx(), cluster.master().ports().rpc());
  }

  @Test
  void damagedMemoryIsNoticedAndTheOtherReplicaRead() {
    cluster.node("a");
    cluster.node("b");
    MoonpoolClient client = cluster.client();
    byte[] value = random(3 << 20, 7);
    await(client.put("key", value, WriteOptions.replicas(2)));
    damage(client, "key", 0, 1_234_567);
    for (int i = 0; i < 4; i++) {
      assertThat(await(client.getBytes("key"))).isEqualTo(value);
    }
    damage(client, "key", 1, 1_234_567);
    assertFails(ErrorCode.CHECKSUM_MISMATCH, () -> await(client.getBytes("key")));
    assertThat(await(client.getRange("key", 0, 1 << 20)).getBytes())
        .isEqualTo(java.util.Arrays.copyOf(value, 1 << 20));
  }

  /** Overwrites a few bytes of a replica behind the pool's back. */
  private void damage(MoonpoolClient client, String key, int replica, long at) {
    Transports transports =
        await(
            Transports.start(
                cluster.vertx(), TransferConfig.client().withTransports(List.of("tcp"))));
    try (MasterCaller reader = caller()) {
      LocatedObject located =
          reader.call(Calls.LOCATE, new NamedObjects("", KeyBatch.of(key))).getFirst().get();
      ReplicaDescriptor where = located.replicas().get(replica);
      SegmentInfo segment =
          await(client.segments()).stream()
              .filter(each -> each.generation() == where.generation())
              .findFirst()
              .orElseThrow();
      await(
          transports.put(
              MemorySegment.ofArray(new byte[64]),
              PeerSegment.of(segment),
              where.offset() + at,
              System.nanoTime() + TimeUnit.SECONDS.toNanos(10)));
    }
    await(transports.close());
  }

  @Test
  void whatDoesNotFitIsToldApart() {
    assertFails(
        ErrorCode.NO_AVAILABLE_HANDLE, () -> await(cluster.client().put("key", new byte[1])));
    cluster.node("a");
    MoonpoolClient client = cluster.client();
    assertFails(
        ErrorCode.NO_AVAILABLE_HANDLE,
        () -> await(client.put("larger than a segment", new byte[65 << 20])));
    List<String> stored = new ArrayList<>();
    ErrorCode end = ErrorCode.OK;
    while (end == ErrorCode.OK) {
      String key = "key-" + stored.size();
      end =
          await(
              client
                  .put(key, random(10 << 20, 8), Cluster.PINNED)
                  .map(ErrorCode.OK)
                  .otherwise(StoreException::codeOf));
      stored.add(key);
      assertThat(stored).hasSizeLessThan(10);
    }
    assertThat(end).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertFails(ErrorCode.OBJECT_ALREADY_EXISTS, () -> await(client.put("key-0", new byte[1])));
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(client.put("", new byte[1])));
  }

  @Test
  void unknownTenantsMayNotWrite() {
    try (Cluster tenants =
        new Cluster(
            directory.resolve("tenants"),
            settings -> settings.multiTenants(true).tenants(List.of("red")))) {
      tenants.node("t");
      MoonpoolClient red = tenants.client(tenants.options().but().tenant("red").build());
      await(red.put("key", new byte[] {1}));
      assertThat(await(red.getBytes("key"))).containsExactly(1);
      assertFails(
          ErrorCode.TENANT_NOT_REGISTERED,
          () -> await(red.forTenant("green").put("key", new byte[] {2})));
      assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(red.forTenant("green").get("key")));
    }
  }
}
