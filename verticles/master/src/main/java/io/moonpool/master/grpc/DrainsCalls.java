package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.protocol.grpc.DrainJob;
import io.moonpool.protocol.grpc.DrainJobRequest;
import io.moonpool.protocol.grpc.DrainPlan;
import io.moonpool.protocol.grpc.DrainRequest;
import io.moonpool.protocol.grpc.DrainsGrpcService;
import io.moonpool.protocol.grpc.ListDrainsAnswer;
import io.moonpool.protocol.grpc.ListDrainsRequest;
import io.moonpool.protocol.grpc.UndrainAnswer;
import io.moonpool.protocol.grpc.UndrainRequest;
import io.vertx.core.Future;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;
import java.util.UUID;

/** The service {@code moonpool.v1.Drains}. */
final class DrainsCalls implements Service {
  private final DrainOperations drains;

  DrainsCalls(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public ServiceName name() {
    return DrainsGrpcService.SERVICE_NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return DrainsGrpcService.SERVICE_DESCRIPTOR;
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(server, DrainsGrpcService.Create, this::create);
    UnaryCall.bind(server, DrainsGrpcService.Plan, this::plan);
    UnaryCall.bind(server, DrainsGrpcService.Describe, this::describe);
    UnaryCall.bind(server, DrainsGrpcService.List, this::list);
    UnaryCall.bind(server, DrainsGrpcService.Cancel, this::cancel);
    UnaryCall.bind(server, DrainsGrpcService.Undrain, this::undrain);
    server.callHandler(DrainsGrpcService.Watch, request -> new WatchCall(drains, request).serve());
  }

  private Future<DrainJob> create(DrainRequest request) {
    return drains.createJob(DrainProtoForms.request(request)).map(DrainProtoForms::job);
  }

  private Future<DrainPlan> plan(DrainRequest request) {
    return drains.planJob(DrainProtoForms.request(request)).map(DrainProtoForms::plan);
  }

  private Future<DrainJob> describe(DrainJobRequest request) {
    return drains.job(id(request)).map(DrainProtoForms::job);
  }

  private Future<ListDrainsAnswer> list(ListDrainsRequest request) {
    return drains
        .jobs()
        .map(
            jobs ->
                ListDrainsAnswer.newBuilder()
                    .addAllJobs(jobs.stream().map(DrainProtoForms::job).toList())
                    .build());
  }

  private Future<DrainJob> cancel(DrainJobRequest request) {
    return drains.cancel(id(request)).map(DrainProtoForms::job);
  }

  private Future<UndrainAnswer> undrain(UndrainRequest request) {
    return drains
        .undrain(request.getNode(), request.getSegmentsList())
        .map(
            back ->
                UndrainAnswer.newBuilder()
                    .addAllSegments(back.stream().map(DrainProtoForms::segment).toList())
                    .build());
  }

  static UUID id(DrainJobRequest request) {
    return ProtoRequests.uuid("job_id", request.getJobId());
  }
}
