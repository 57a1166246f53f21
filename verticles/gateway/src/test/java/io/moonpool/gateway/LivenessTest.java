package io.moonpool.gateway;

import static io.moonpool.gateway.LentMemory.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.MasterConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.SegmentMessages;
import io.moonpool.protocol.mooncake.SegmentMessages.PingAnswer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Clients that ping live, those that do not are forgotten and may come back. */
class LivenessTest {
  private static final long BASE = 1L << 40;
  private static final int MIB = 1 << 20;

  private static int ping(LentMemory client) {
    return client.call(SegmentCalls.PING, client.id).status();
  }

  @Test
  void aClientThatIsUnknownIsToldToMount() {
    try (GatewayMaster master = GatewayMaster.start();
        LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      assertThat(client.call(SegmentCalls.PING, UUID.randomUUID()))
          .isEqualTo(new PingAnswer(0, PingAnswer.NEED_REMOUNT));
      assertThat(ping(client)).isEqualTo(PingAnswer.OK);
    }
  }

  @Test
  void aSilentClientIsForgottenAndComesBack() {
    try (GatewayMaster master =
            GatewayMaster.start(
                MasterConfig.builder().clientActiveTtlMillis(1_000).clientSuspicionTtlMillis(500));
        LentMemory client = new LentMemory(master, "s", BASE, MIB)) {
      client.put("k", 100);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(
                          master.on(() -> master.master().operations().clients()).stream()
                              .map(each -> each.nodeId()))
                      .doesNotContain(client.id));
      assertThat(ping(client)).isEqualTo(PingAnswer.NEED_REMOUNT);
      assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> client.locate("k"));
      client.call(
          SegmentCalls.RE_MOUNT_SEGMENT,
          new SegmentMessages.ReMount(List.of(client.segment), client.id));
      assertThat(ping(client)).isEqualTo(PingAnswer.OK);
      client.put("k", 100);
      assertThat(client.locate("k").replicas()).hasSize(1);
    }
  }

  @Test
  void aGracefulUnmountIsAnsweredWhenItBegins() {
    try (GatewayMaster master = GatewayMaster.start();
        LentMemory client = new LentMemory(master, "s", BASE, MIB);
        LentMemory other = new LentMemory(master, "o", BASE, MIB)) {
      client.put("k", 100);
      assertFails(
          ErrorCode.INVALID_PARAMS,
          () -> other.call(SegmentCalls.GRACEFUL_UNMOUNT_SEGMENT, leave(client, other)));
      client.call(SegmentCalls.GRACEFUL_UNMOUNT_SEGMENT, leave(client, client));
      assertThat(client.call(SegmentCalls.QUERY_SEGMENT_STATUS_BY_ID, client.segment.id()))
          .isEqualTo(4);
      assertThat(client.call(SegmentCalls.QUERY_SEGMENT_STATUS, "o")).isEqualTo(1);
      assertThat(client.locate("k").replicas()).hasSize(1);
      client.call(
          SegmentCalls.UNMOUNT_SEGMENT,
          new SegmentMessages.Unmount(client.segment.id(), client.id));
      assertFails(
          ErrorCode.SEGMENT_NOT_FOUND,
          () -> client.call(SegmentCalls.QUERY_SEGMENT_STATUS_BY_ID, client.segment.id()));
    }
  }

  private static SegmentMessages.GracefulUnmount leave(LentMemory what, LentMemory who) {
    return new SegmentMessages.GracefulUnmount(what.segment.id(), who.id, 600_000);
  }
}
