package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.gateway.wire.WireClient;
import io.moonpool.gateway.wire.WireClient.Located;
import io.moonpool.gateway.wire.WireClient.Place;
import io.moonpool.gateway.wire.WireClient.Segment;
import io.moonpool.gateway.wire.WireData;
import io.moonpool.gateway.wire.WireMemory;
import io.moonpool.master.MooncakeConfig;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.node.Node;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that a client of Mooncake lends, as clients and nodes of Moonpool use it. */
class ForeignMemoryTest {
  private static final long BASE = 0x7f00_0000_0000L;

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private GatewayMaster master;
  private WireMemory lent;
  private WireClient owner;
  private Segment segment;
  private MoonpoolClient client;

  @BeforeEach
  void start() {
    master = GatewayMaster.start();
    lent = new WireMemory(BASE, 64 << 20);
    owner = new WireClient(master.port(), UUID.randomUUID(), true);
    segment = lent.segment();
    owner.mount(segment);
    client =
        GatewayMaster.await(
            MoonpoolClient.connect(
                vertx,
                ClientOptions.of("127.0.0.1", master.port())
                    .but()
                    .transports(List.of("tcp"))
                    .build()));
  }

  @AfterEach
  void stop() {
    GatewayMaster.await(client.close());
    owner.close();
    lent.close();
    master.close();
    GatewayMaster.await(vertx.close());
  }

  private static byte[] value(int number) {
    byte[] value = new byte[number % 50 == 0 ? 5 << 20 : 1 + (number * 7919) % 20_000];
    new Random(number).nextBytes(value);
    return value;
  }

  private void put(String key, byte[] value) {
    GatewayMaster.await(client.put(key, value));
  }

  private byte[] get(String key) {
    return GatewayMaster.await(client.getBytes(key));
  }

  @Test
  void aClientOfMoonpoolPutsThereAndGetsItBack() {
    for (int i = 1; i <= 200; i++) {
      put("key-" + i, value(i));
    }
    assertThat(lent.writes()).isGreaterThanOrEqualTo(200);
    for (int i = 1; i <= 200; i++) {
      assertThat(get("key-" + i)).isEqualTo(value(i));
    }
    SegmentInfo known = GatewayMaster.await(client.segments()).getFirst();
    assertThat(client.transportTo(known)).isEqualTo("mooncake");
    assertThat(GatewayMaster.await(client.describe("key-1")).checksum().kind())
        .isEqualTo(ChecksumKind.CRC32C);
    GatewayMaster.await(client.remove("key-1", true));
    assertThat(owner.exists("key-1")).isFalse();
  }

  /** The checksum of a client of Moonpool says nothing to one of Mooncake. */
  @Test
  void aClientOfMooncakeReadsWhatOneOfMoonpoolPut() {
    put("shared", value(7));
    Located located = owner.locate("shared");
    assertThat(located.checksum()).isEmpty();
    Place place = located.places().getFirst();
    try (WireData data = new WireData("127.0.0.1", WireData.dataPort(place.endpoint()))) {
      assertThat(data.read(place.address(), place.size())).isEqualTo(value(7));
    }
  }

  @Test
  void aClientOfMoonpoolReadsWhatOneOfMooncakePut() {
    putAsOwner("summed", OptionalLong.of(4711));
    putAsOwner("plain", OptionalLong.empty());
    assertThat(get("summed")).isEqualTo(value(8));
    assertThat(get("plain")).isEqualTo(value(8));
    assertThat(GatewayMaster.await(client.describe("summed")).checksum().kind())
        .isEqualTo(ChecksumKind.OPAQUE);
    assertThat(GatewayMaster.await(client.describe("plain")).checksum().kind())
        .isEqualTo(ChecksumKind.NONE);
    assertThat(owner.locate("summed").checksum()).hasValue(4711);
  }

  private void putAsOwner(String key, OptionalLong checksum) {
    Place place = owner.putStart(key, value(8).length).getFirst();
    try (WireData data = new WireData("127.0.0.1", WireData.dataPort(place.endpoint()))) {
      assertThat(data.write(place.address(), value(8))).isZero();
    }
    owner.putEnd(key, checksum);
  }

  @Test
  void bytesThatHaveChangedThereAreNoValue() {
    put("spoilt", value(9));
    lent.spoil();
    assertThatThrownBy(() -> get("spoilt"))
        .hasRootCauseInstanceOf(StoreException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH));
  }

  @Test
  void anOwnerMayTakeOneRequestForEachConnection() {
    lent.closeAfterEachRequest();
    for (int i = 1; i <= 60; i++) {
      put("key-" + i, value(i));
      assertThat(get("key-" + i)).isEqualTo(value(i));
    }
    assertThat(lent.connections()).isGreaterThanOrEqualTo(120);
  }

  private Node node(boolean mooncake) {
    return GatewayMaster.await(
        Node.start(vertx, master.node(directory, "64MiB").mooncakeEnabled(mooncake).build()));
  }

  @Test
  void writesGoElsewhereWhenTheOwnerIsGone() {
    Node node = node(true);
    lent.close();
    for (int i = 1; i <= 30; i++) {
      put("key-" + i, value(i));
      assertThat(get("key-" + i)).isEqualTo(value(i));
    }
    GatewayMaster.await(node.close());
  }

  /** The node writes its objects to the client's memory, also one that serves no such client. */
  @Test
  void aNodeIsDrainedToIt() {
    Node node = node(false);
    lent.close(); // nothing goes there yet
    for (int i = 1; i <= 60; i++) {
      put("key-" + i, value(i));
    }
    owner.unmount(segment.id());
    lent = new WireMemory(BASE, 64 << 20);
    segment = lent.segment();
    owner.mount(segment);

    JobInfo job =
        master.on(() -> master.master().drains().createJob(DrainRequest.ofSegments("node-0")));
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () ->
                master.on(() -> master.master().drains().job(job.id())).status()
                    == JobStatus.SUCCEEDED);
    assertThat(lent.writes()).isGreaterThanOrEqualTo(60);
    GatewayMaster.await(node.close());
    for (int i = 1; i <= 60; i++) {
      assertThat(get("key-" + i)).isEqualTo(value(i));
    }
  }

  @Test
  void memoryThatIsNotLentByTcpIsNotUsed() {
    owner.unmount(segment.id());
    owner.mount(new Segment(UUID.randomUUID(), "named", BASE, 64 << 20, "no-port"));
    assertThatThrownBy(() -> put("nowhere", value(1)))
        .rootCause()
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE));
  }

  /** Its owner knows no deadlines: bytes of a write that was given up may come late. */
  /** However many lend some: none of it is asked for, and none is kept for writes that fail. */
  @Test
  void aWriterWithTlsGetsNoneOfIt() {
    for (int i = 0; i < 8; i++) {
      long base = (2L << 44) + ((long) i << 30);
      owner.mount(new Segment(UUID.randomUUID(), "more-" + i, base, 64 << 20, "127.0.0.1:1"));
    }
    MoonpoolClient withTls =
        GatewayMaster.await(
            MoonpoolClient.connect(
                vertx,
                ClientOptions.of("127.0.0.1", master.port())
                    .but()
                    .transports(List.of("tcp"))
                    .dataTls(true)
                    .build()));
    assertThatThrownBy(() -> GatewayMaster.await(withTls.put("k", new byte[1_000])))
        .rootCause()
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE));
    assertThat(GatewayMaster.await(withTls.segments()))
        .extracting(SegmentInfo::usedBytes)
        .containsOnly(0L);
    GatewayMaster.await(withTls.close());
  }

  @Test
  void spaceOfAWriteThatWasNotEndedIsKeptAsForClientsOfMooncake() {
    long heldMillis = 3_000;
    owner.unmount(segment.id());
    try (GatewayMaster other =
            GatewayMaster.start(
                GatewayMaster.config()
                    .writeGrantMillis(1)
                    .mooncake(new MooncakeConfig(true, "2.0.0", heldMillis)));
        WireMemory small = new WireMemory(BASE, 1 << 20);
        WireClient lender = new WireClient(other.port(), UUID.randomUUID(), true)) {
      lender.mount(small.segment());
      long startNanos = System.nanoTime();
      assertThat(start(other, "first").ok()).isTrue();
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> start(other, "second-" + UUID.randomUUID()).ok());
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos))
          .isGreaterThanOrEqualTo(heldMillis);
    }
  }

  /** Starts to put an object that takes all the memory. */
  private static Outcome<StartedObject> start(GatewayMaster master, String key) {
    StartObjects request =
        new StartObjects(
            UUID.randomUUID(),
            "",
            KeyBatch.of(List.of(key)),
            new long[] {1 << 20},
            ReplicateConfig.DEFAULT,
            new long[0]);
    return master.on(() -> master.master().operations().putStart(request)).getFirst();
  }
}
