package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.request.ClusterSummary;
import io.moonpool.protocol.grpc.ClusterGrpcService;
import io.moonpool.protocol.grpc.SummaryAnswer;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;

/** The service {@code moonpool.v1.Cluster}. */
final class ClusterCalls implements Service {
  private final MasterOperations master;
  private final MasterStats stats;

  ClusterCalls(MasterOperations master, MasterStats stats) {
    this.master = master;
    this.stats = stats;
  }

  @Override
  public ServiceName name() {
    return ClusterGrpcService.SERVICE_NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return ClusterGrpcService.SERVICE_DESCRIPTOR;
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(
        server,
        ClusterGrpcService.Summary,
        request -> ClusterSummary.ask(master, stats).map(ClusterCalls::message));
  }

  private static SummaryAnswer message(ClusterSummary summary) {
    return SummaryAnswer.newBuilder()
        .setClusterId(summary.clusterId())
        .setVersion(summary.version())
        .setMasterEpoch(summary.masterEpoch())
        .setCapacity(summary.capacityBytes())
        .setUsed(summary.usedBytes())
        .setObjects(summary.objects())
        .setSegments(summary.segments())
        .setClients(summary.clients())
        .build();
  }
}
