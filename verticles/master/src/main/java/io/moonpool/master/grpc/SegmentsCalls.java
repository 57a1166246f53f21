package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.request.Limits;
import io.moonpool.master.request.SegmentUnmount;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.grpc.ListSegmentsAnswer;
import io.moonpool.protocol.grpc.ListSegmentsRequest;
import io.moonpool.protocol.grpc.SegmentsGrpcService;
import io.moonpool.protocol.grpc.UnmountAnswer;
import io.moonpool.protocol.grpc.UnmountRequest;
import io.vertx.core.Future;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;

/** The service {@code moonpool.v1.Segments}. */
final class SegmentsCalls implements Service {
  private final MasterOperations master;
  private final SegmentUnmount unmount;

  SegmentsCalls(MasterOperations master, SegmentUnmount unmount) {
    this.master = master;
    this.unmount = unmount;
  }

  @Override
  public ServiceName name() {
    return SegmentsGrpcService.SERVICE_NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return SegmentsGrpcService.SERVICE_DESCRIPTOR;
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(server, SegmentsGrpcService.List, this::list);
    UnaryCall.bind(server, SegmentsGrpcService.Unmount, this::unmount);
  }

  private Future<ListSegmentsAnswer> list(ListSegmentsRequest request) {
    return master
        .describeSegments(new DescribeSegments(ProtoRequests.longs(request.getGenerationsList())))
        .map(
            segments ->
                ListSegmentsAnswer.newBuilder()
                    .addAllSegments(segments.stream().map(ProtoForms::segment).toList())
                    .build());
  }

  private Future<UnmountAnswer> unmount(UnmountRequest request) {
    return unmount
        .start(
            ProtoRequests.uuid("segment_id", request.getSegmentId()),
            Limits.checkGrace(request.getGraceMillis()))
        .map(complete -> UnmountAnswer.newBuilder().setComplete(complete).build());
  }
}
