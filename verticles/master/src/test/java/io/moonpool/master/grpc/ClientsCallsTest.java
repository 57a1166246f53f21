package io.moonpool.master.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.admin.FakeLiveness;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ConfirmOfflineRequest;
import io.moonpool.protocol.grpc.GetHeartbeatPortRequest;
import io.moonpool.protocol.grpc.OfflineBreakerAnswer;
import io.moonpool.protocol.grpc.OfflineBreakerRequest;
import io.moonpool.protocol.grpc.OfflineReason;
import io.moonpool.protocol.grpc.PingAnswer;
import io.moonpool.protocol.grpc.PingRequest;
import io.moonpool.protocol.grpc.PingStatus;
import io.vertx.grpc.common.GrpcStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientsCallsTest {
  private final GrpcFixture grpc = new GrpcFixture();

  @AfterEach
  void stop() {
    grpc.close();
  }

  @ParameterizedTest
  @CsvSource({"1, PING_STATUS_OK", "2, PING_STATUS_SUSPECTED", "3, PING_STATUS_NEED_REMOUNT"})
  void answersPings(long incarnation, PingStatus status) {
    PingAnswer answer =
        grpc.call(
                ClientsGrpcClient.Ping,
                PingRequest.newBuilder().setIncarnation(incarnation).setSequence(9).build())
            .answer();
    assertThat(answer)
        .isEqualTo(
            PingAnswer.newBuilder()
                .setSequence(9)
                .setStatus(status)
                .setMasterEpoch(7)
                .setViewVersion(8)
                .build());
  }

  @Test
  void tellsTheHeartbeatPort() {
    assertThat(
            grpc.call(
                    ClientsGrpcClient.GetHeartbeatPort,
                    GetHeartbeatPortRequest.getDefaultInstance())
                .answer()
                .getPort())
        .isEqualTo(50_062);
  }

  @Test
  void tellsWhichNodesAreKeptAndTakesAConfirmationOnce() {
    OfflineBreakerAnswer expected =
        OfflineBreakerAnswer.newBuilder()
            .setEnabled(true)
            .setHolding(true)
            .setReason(OfflineReason.OFFLINE_REASON_SHARE)
            .addHeldNodeIds(FakeLiveness.HELD.toString())
            .setTrips(2)
            .build();
    assertThat(
            grpc.call(ClientsGrpcClient.OfflineBreaker, OfflineBreakerRequest.getDefaultInstance())
                .answer())
        .isEqualTo(expected);
    assertThat(
            grpc.call(ClientsGrpcClient.ConfirmOffline, ConfirmOfflineRequest.getDefaultInstance())
                .answer())
        .isEqualTo(expected);
    assertThat(
            grpc.call(ClientsGrpcClient.ConfirmOffline, ConfirmOfflineRequest.getDefaultInstance())
                .status())
        .isEqualTo(GrpcStatus.UNAVAILABLE);
  }
}
