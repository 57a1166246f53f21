package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.gateway.wire.WireAnswer.WireFailure;
import io.moonpool.gateway.wire.WireClient;
import io.moonpool.gateway.wire.WireClient.Located;
import io.moonpool.gateway.wire.WireClient.Place;
import io.moonpool.gateway.wire.WireClient.Segment;
import io.moonpool.model.ErrorCode;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of Mooncake does, over a socket, with an encoder of its own. */
class MooncakeClientTest {
  private static final long BASE = 0x7f00_0000_0000L;
  private static final int MIB = 1 << 20;
  private static GatewayMaster master;

  @BeforeAll
  static void start() {
    master = GatewayMaster.start();
  }

  @AfterAll
  static void stop() {
    master.close();
  }

  private static WireClient client(boolean named) {
    return new WireClient(master.port(), UUID.randomUUID(), named);
  }

  private static Segment segment() {
    return new Segment(UUID.randomUUID(), "127.0.0.1:15116", BASE, 16L * MIB, "127.0.0.1:15116");
  }

  private static void assertFails(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            WireFailure.class, failure -> assertThat(failure.number()).isEqualTo(code.number()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStorageClientStartsPutsGetsAndLeaves(boolean named) {
    try (WireClient client = client(named)) {
      assertThat(client.serviceReady()).isEqualTo("2.0.0");
      assertThat(client.storageConfig()).isEmpty();
      Segment segment = segment();
      client.mount(segment);
      assertThat(client.ping()).as("mount again").isEqualTo(2);
      client.mountAgain(List.of(segment));
      assertThat(client.ping()).isEqualTo(1);

      String key = "key-" + named;
      assertThat(client.exists(key)).isFalse();
      Place written = client.putStart(key, 4096).getFirst();
      assertThat(written.size()).isEqualTo(4096);
      assertThat(written.address()).isBetween(BASE, BASE + 16 * MIB - 4096);
      assertThat(written.protocol()).isEqualTo("tcp");
      assertThat(written.endpoint()).isEqualTo("127.0.0.1:15116");
      assertFails(ErrorCode.REPLICA_IS_NOT_READY, () -> client.locate(key));
      client.putEnd(key, OptionalLong.of(77));
      client.putEnd(key, OptionalLong.of(77));

      assertThat(client.exists(key)).isTrue();
      Located located = client.locate(key);
      assertThat(located.places()).containsExactly(written);
      assertThat(located.leaseMillis()).isEqualTo(10_000);
      assertThat(located.checksum()).hasValue(77);
      assertFails(ErrorCode.OBJECT_ALREADY_EXISTS, () -> client.putStart(key, 4096));
      assertFails(ErrorCode.OBJECT_HAS_LEASE, () -> client.remove(key, false));
      client.remove(key, true);
      assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> client.locate(key));

      client.unmount(segment.id());
      client.unmount(segment.id());
      assertFails(ErrorCode.NO_AVAILABLE_HANDLE, () -> client.putStart(key, 4096));
    }
  }

  @Test
  void onlyTheWriterEndsItsWrite() {
    try (WireClient owner = client(true);
        WireClient writer = client(true);
        WireClient stranger = client(true)) {
      Segment segment = segment();
      owner.mount(segment);
      writer.putStart("written", 100);
      assertFails(ErrorCode.ILLEGAL_CLIENT, () -> stranger.putEnd("written", OptionalLong.empty()));
      assertFails(ErrorCode.ILLEGAL_CLIENT, () -> stranger.putRevoke("written"));
      writer.putRevoke("written");
      assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> writer.putRevoke("written"));
      writer.putStart("written", 100);
      writer.putEnd("written", OptionalLong.empty());
      assertFails(ErrorCode.INVALID_WRITE, () -> writer.putRevoke("written"));
      assertThat(stranger.locate("written").checksum()).isEmpty();
      assertFails(ErrorCode.ILLEGAL_CLIENT, () -> stranger.putEnd("written", OptionalLong.empty()));
      owner.unmount(segment.id());
    }
  }

  @Test
  void anUpsertReplacesTheValueAtItsEnd() {
    try (WireClient client = client(true)) {
      Segment segment = segment();
      client.mount(segment);
      client.upsertStart("upserted", 100);
      client.upsertEnd("upserted");
      Place before = client.locate("upserted").places().getFirst();
      Place next = client.upsertStart("upserted", 200).getFirst();
      assertThat(client.locate("upserted").places()).containsExactly(before);
      client.upsertEnd("upserted");
      assertThat(client.locate("upserted").places()).containsExactly(next);
      client.unmount(segment.id());
    }
  }

  @Test
  void itemsOfABatchFailOneByOne() {
    try (WireClient client = client(true)) {
      Segment segment = segment();
      client.mount(segment);
      client.putStart("b2", 10);
      client.putEnd("b2", OptionalLong.empty());
      List<Object> started = client.batchPutStart(List.of("b1", "b2", "b3"), 64);
      assertThat(started.get(0)).isInstanceOf(List.class);
      assertThat(started.get(1)).isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS.number());
      assertThat(started.get(2)).isInstanceOf(List.class);
      assertThat(client.batchPutEnd(List.of("b1", "none", "b3")))
          .containsExactly(0, ErrorCode.OBJECT_NOT_FOUND.number(), 0);
      client.unmount(segment.id());
    }
  }

  @Test
  void memoryOfMoonpoolAloneIsNotGivenToOthers() {
    try (WireClient client = client(true)) {
      master.mountMoonpoolSegment();
      assertFails(ErrorCode.NO_AVAILABLE_HANDLE, () -> client.putStart("nowhere", 10));
    }
  }
}
