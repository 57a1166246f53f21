package io.moonpool.master.grpc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One caller who watches the health: told at once, and then when it changes, until it leaves. */
final class HealthWatch {
  private static final long LOOK_MILLIS = 1_000;

  private final Vertx vertx;
  private final GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> request;
  private final Supplier<Future<ServingStatus>> status;
  private @Nullable ServingStatus told;
  private boolean left;

  HealthWatch(
      Vertx vertx,
      GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> request,
      Supplier<Future<ServingStatus>> status) {
    this.vertx = vertx;
    this.request = request;
    this.status = status;
  }

  void start() {
    request.errorHandler(cancelled -> left = true);
    request.exceptionHandler(lost -> left = true);
    look();
  }

  private void look() {
    status.get().onSuccess(this::tell);
  }

  private void tell(ServingStatus now) {
    if (left) {
      return;
    }
    if (now != told) {
      told = now;
      request.response().write(HealthCalls.response(now)).onFailure(lost -> left = true);
    }
    vertx.setTimer(LOOK_MILLIS, elapsed -> look());
  }
}
