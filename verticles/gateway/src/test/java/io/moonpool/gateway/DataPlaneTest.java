package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.gateway.wire.WireAnswer.WireFailure;
import io.moonpool.gateway.wire.WireClient;
import io.moonpool.gateway.wire.WireClient.Place;
import io.moonpool.gateway.wire.WireClient.Segment;
import io.moonpool.gateway.wire.WireData;
import io.moonpool.gateway.wire.WireMemory;
import io.moonpool.model.ErrorCode;
import io.moonpool.node.Node;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client of Mooncake, a master and a node: objects go to the node's memory and come back. */
class DataPlaneTest {
  private static final int OBJECTS = 10_000;
  private static final int CLIENTS = 4;
  private static final long BASE = 0x7f00_0000_0000L;

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private GatewayMaster master;
  private Node node;

  @BeforeEach
  void start() {
    master = GatewayMaster.start();
    node = GatewayMaster.await(Node.start(vertx, master.node(directory, "256MiB").build()));
  }

  @AfterEach
  void stop() {
    GatewayMaster.await(node.close());
    master.close();
    GatewayMaster.await(vertx.close());
  }

  private WireClient client() {
    return new WireClient(master.port(), UUID.randomUUID(), true);
  }

  private String endpoint() {
    return "127.0.0.1:" + node.mooncakePorts().handshake();
  }

  private static byte[] value(int number) {
    int size = number % 500 == 0 ? 1 << 20 : 1 + (number * 7919) % 8_192;
    byte[] value = new byte[size];
    new Random(number).nextBytes(value);
    return value;
  }

  @Test
  void tenThousandObjectsComeBackAsTheyWere() throws Exception {
    AtomicInteger equal = new AtomicInteger();
    List<Future<Void>> runs = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        WireMemory lent = new WireMemory(BASE, 1 << 20);
        WireClient owner = client()) {
      assertThat(owner.serviceReady()).isEqualTo("2.0.0");
      Segment segment = lent.segment();
      owner.mount(segment);
      assertThat(owner.ping()).isEqualTo(2);
      owner.mountAgain(List.of(segment));
      assertThat(owner.ping()).isEqualTo(1);
      for (int i = 0; i < CLIENTS; i++) {
        int first = i;
        Callable<Void> run =
            () -> {
              putGetAndRemove(first, equal);
              return null;
            };
        runs.add(threads.submit(run));
      }
      for (Future<Void> run : runs) {
        run.get(120, TimeUnit.SECONDS);
      }
      assertThat(owner.ping()).isEqualTo(1);
      owner.unmount(segment.id());
    }
    assertThat(equal.get()).isEqualTo(OBJECTS);
  }

  /** Every so-manieth object: put on a connection of its own, as clients do, and got on one. */
  private void putGetAndRemove(int first, AtomicInteger equal) {
    String endpoint = endpoint();
    int port = WireData.dataPort(endpoint);
    try (WireClient client = client();
        WireData reader = new WireData("127.0.0.1", port)) {
      for (int i = first; i < OBJECTS; i += CLIENTS) {
        String key = "object-" + i;
        byte[] value = value(i);
        Place place = client.putStart(key, value.length, "node-0").getFirst();
        assertThat(place.protocol()).isEqualTo("tcp");
        assertThat(place.endpoint()).isEqualTo(endpoint);
        try (WireData writer = new WireData("127.0.0.1", port)) {
          assertThat(writer.write(place.address(), value)).isZero();
        }
        client.putEnd(key, OptionalLong.empty());
      }
      for (int i = first; i < OBJECTS; i += CLIENTS) {
        Place place = client.locate("object-" + i).places().getFirst();
        assertThat(reader.read(place.address(), place.size())).isEqualTo(value(i));
        equal.incrementAndGet();
      }
      for (int i = first; i < OBJECTS; i += CLIENTS) {
        client.remove("object-" + i, true);
        assertThat(client.exists("object-" + i)).isFalse();
      }
    }
  }

  @Test
  void theHandshakeNamesTheMemoryThatPlacesAreIn() {
    try (WireClient client = client()) {
      Place place = client.putStart("named", 1_000).getFirst();
      var buffer = WireData.handshake(place.endpoint()).getJsonArray("buffers").getJsonObject(0);
      assertThat(buffer.getLong("length")).isEqualTo(256L << 20);
      assertThat(place.address())
          .isBetween(buffer.getLong("addr"), buffer.getLong("addr") + (256L << 20) - 1_000);
    }
  }

  @Test
  void whatIsOutsideTheSegmentIsRejected() {
    var buffer = WireData.handshake(endpoint()).getJsonArray("buffers").getJsonObject(0);
    long base = buffer.getLong("addr");
    try (WireData data = new WireData("127.0.0.1", WireData.dataPort(endpoint()))) {
      assertThat(data.write(base - 1, new byte[10])).isEqualTo(1);
      assertThat(data.write(base + (256L << 20) - 9, new byte[10])).isEqualTo(1);
      assertThat(data.read(base + (256L << 20), 1)).isNull();
      assertThat(data.write(base + (256L << 20) - 10, new byte[10])).isZero();
    }
  }

  @Test
  void aMountThatTheMasterHasLostIsAtAnotherAddress() {
    long before;
    try (WireClient client = client()) {
      before = client.putStart("lost", 100).getFirst().address();
    }
    GatewayMaster lost = master;
    master = lost.restart();
    org.awaitility.Awaitility.await()
        .atMost(30, TimeUnit.SECONDS)
        .ignoreException(WireFailure.class)
        .untilAsserted(
            () -> {
              try (WireClient client = client();
                  WireData data = new WireData("127.0.0.1", node.mooncakePorts().data())) {
                Place place = client.putStart("found-" + UUID.randomUUID(), 100).getFirst();
                assertThat(Math.abs(place.address() - before)).isGreaterThan(256L << 20);
                assertThat(data.write(before, new byte[100])).isEqualTo(1);
                assertThat(data.write(place.address(), new byte[100])).isZero();
              }
            });
  }

  @Test
  void aNodeThatDoesNotServeMooncakeGetsNoneOfItsObjects() {
    GatewayMaster.await(node.close());
    node =
        GatewayMaster.await(
            Node.start(vertx, master.node(directory, "16MiB").mooncakeEnabled(false).build()));
    try (WireClient client = client()) {
      assertThatThrownBy(() -> client.putStart("nowhere", 10))
          .isInstanceOfSatisfying(
              WireFailure.class,
              failure ->
                  assertThat(failure.number()).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE.number()));
    }
  }
}
