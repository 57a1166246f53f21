package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.health.Readiness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.health.v1.HealthListRequest;
import io.vertx.grpc.health.v1.HealthListResponse;
import io.vertx.grpc.health.v1.HealthProto;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.Service;
import io.vertx.grpc.server.StatusException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The service {@code grpc.health.v1.Health}. The service of Vert.x would call the server as a whole
 * healthy whatever the checks say, and that is what probes ask for.
 */
final class HealthCalls implements Service {
  private static final ServiceName NAME = ServiceName.create("grpc.health.v1", "Health");
  private static final ServiceMethod<HealthCheckRequest, HealthCheckResponse> CHECK =
      ServiceMethod.server(
          NAME,
          "Check",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(HealthCheckRequest.newBuilder()));
  private static final ServiceMethod<HealthCheckRequest, HealthCheckResponse> WATCH =
      ServiceMethod.server(
          NAME,
          "Watch",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(HealthCheckRequest.newBuilder()));
  private static final ServiceMethod<HealthListRequest, HealthListResponse> LIST =
      ServiceMethod.server(
          NAME,
          "List",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(HealthListRequest.newBuilder()));

  private final Vertx vertx;
  private final Readiness readiness;

  /** The services that are ready when the master is; the empty name is the server as a whole. */
  private final Set<String> names;

  HealthCalls(Vertx vertx, Readiness readiness, List<Service> services) {
    this.vertx = vertx;
    this.readiness = readiness;
    names =
        Stream.concat(
                Stream.of(""),
                services.stream().map(service -> service.name().fullyQualifiedName()))
            .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public ServiceName name() {
    return NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return HealthProto.getDescriptor().findServiceByName("Health");
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(server, CHECK, this::check);
    UnaryCall.bind(server, LIST, request -> status().map(this::list));
    server.callHandler(WATCH, this::watch);
  }

  private Future<HealthCheckResponse> check(HealthCheckRequest request) {
    if (!names.contains(request.getService())) {
      throw new StatusException(GrpcStatus.NOT_FOUND, "unknown service: list the services");
    }
    return status().map(HealthCalls::response);
  }

  private HealthListResponse list(ServingStatus status) {
    HealthListResponse.Builder list = HealthListResponse.newBuilder();
    names.forEach(name -> list.putStatuses(name, response(status)));
    return list.build();
  }

  private void watch(GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> request) {
    request.handler(
        message -> {
          boolean known = names.contains(message.getService());
          HealthWatch watch =
              new HealthWatch(
                  vertx,
                  request,
                  known
                      ? this::status
                      : () -> Future.succeededFuture(ServingStatus.SERVICE_UNKNOWN));
          watch.start();
        });
  }

  private Future<ServingStatus> status() {
    return readiness
        .check()
        .map(
            checks ->
                checks.stream().allMatch(Readiness.Check::up)
                    ? ServingStatus.SERVING
                    : ServingStatus.NOT_SERVING);
  }

  static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }
}
