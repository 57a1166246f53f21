package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.master.monitor.BreakerState;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.grpc.ClientsGrpcService;
import io.moonpool.protocol.grpc.GetHeartbeatPortAnswer;
import io.moonpool.protocol.grpc.ListClientsAnswer;
import io.moonpool.protocol.grpc.OfflineBreakerAnswer;
import io.moonpool.protocol.grpc.OfflineReason;
import io.moonpool.protocol.grpc.PingAnswer;
import io.moonpool.protocol.grpc.PingRequest;
import io.moonpool.protocol.grpc.PingStatus;
import io.vertx.core.Future;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;
import java.util.UUID;

/** The service {@code moonpool.v1.Clients}. */
final class ClientsCalls implements Service {
  private final MasterOperations master;
  private final LivenessOperations liveness;
  private final PingRecorder pings;

  ClientsCalls(MasterOperations master, LivenessOperations liveness, PingRecorder pings) {
    this.master = master;
    this.liveness = liveness;
    this.pings = pings;
  }

  @Override
  public ServiceName name() {
    return ClientsGrpcService.SERVICE_NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return ClientsGrpcService.SERVICE_DESCRIPTOR;
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(
        server,
        ClientsGrpcService.List,
        request ->
            master
                .clients()
                .map(
                    clients ->
                        ListClientsAnswer.newBuilder()
                            .addAllClients(clients.stream().map(ProtoForms::client).toList())
                            .build()));
    UnaryCall.bind(server, ClientsGrpcService.Ping, ping -> Future.succeededFuture(answer(ping)));
    UnaryCall.bind(
        server,
        ClientsGrpcService.GetHeartbeatPort,
        request ->
            master
                .hello(new Hello(Hello.VERSION, "grpc"))
                .map(
                    hello ->
                        GetHeartbeatPortAnswer.newBuilder()
                            .setPort(hello.heartbeatPort())
                            .build()));
    UnaryCall.bind(
        server,
        ClientsGrpcService.OfflineBreaker,
        request -> liveness.breaker().map(ClientsCalls::message));
    UnaryCall.bind(
        server,
        ClientsGrpcService.ConfirmOffline,
        request -> liveness.confirmOffline().map(ClientsCalls::message));
  }

  /** Records a ping right here, as the main port does. */
  private PingAnswer answer(PingRequest ping) {
    PingStatus status =
        switch (pings.record(ping.getSlot(), ping.getIncarnation())) {
          case OK -> PingStatus.PING_STATUS_OK;
          case SUSPECTED -> PingStatus.PING_STATUS_SUSPECTED;
          case NEED_REMOUNT -> PingStatus.PING_STATUS_NEED_REMOUNT;
        };
    return PingAnswer.newBuilder()
        .setSequence(ping.getSequence())
        .setStatus(status)
        .setMasterEpoch(pings.masterEpoch())
        .setViewVersion(pings.viewVersion())
        .build();
  }

  private static OfflineBreakerAnswer message(BreakerState state) {
    OfflineReason reason =
        switch (state.reason()) {
          case SILENCE -> OfflineReason.OFFLINE_REASON_SILENCE;
          case SHARE -> OfflineReason.OFFLINE_REASON_SHARE;
        };
    return OfflineBreakerAnswer.newBuilder()
        .setEnabled(state.enabled())
        .setHolding(state.holding())
        .setReason(state.trips() == 0 ? OfflineReason.OFFLINE_REASON_UNSPECIFIED : reason)
        .addAllHeldNodeIds(state.held().stream().map(UUID::toString).toList())
        .setTrips(state.trips())
        .build();
  }
}
