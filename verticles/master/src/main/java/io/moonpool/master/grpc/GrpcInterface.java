package io.moonpool.master.grpc;

import io.moonpool.master.MasterContext;
import io.moonpool.master.MasterInterface;
import io.moonpool.master.request.AdminAddresses;
import io.vertx.core.Future;

/** The gRPC interface as part of a master. */
public final class GrpcInterface implements MasterInterface {
  @Override
  public Kind kind() {
    return Kind.GRPC;
  }

  @Override
  public Future<Integer> start(MasterContext context) {
    GrpcOptions options;
    try {
      options = GrpcOptions.of(AdminAddresses.grpc(context.config()));
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    GrpcVerticle verticle =
        new GrpcVerticle(
            options,
            context.operations(),
            context.drains(),
            context.liveness(),
            context.pings(),
            context.stats());
    return context.vertx().deployVerticle(verticle).map(id -> verticle.port());
  }
}
