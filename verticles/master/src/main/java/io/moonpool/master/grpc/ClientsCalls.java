package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.MasterOperations;
import io.moonpool.protocol.grpc.ClientsGrpcService;
import io.moonpool.protocol.grpc.ListClientsAnswer;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;

/** The service {@code moonpool.v1.Clients}. */
final class ClientsCalls implements Service {
  private final MasterOperations master;

  ClientsCalls(MasterOperations master) {
    this.master = master;
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
  }
}
