package io.moonpool.master.grpc;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcHeaderNames;
import io.vertx.grpc.common.GrpcStatus;

/** Lets calls with the token through, and those of the health service. */
final class TokenGate implements Handler<HttpServerRequest> {
  private static final String HEALTH = "/grpc.health.v1.Health/";
  private static final String MESSAGE =
      "this port needs the master's admin_token: send the metadata authorization: Bearer <token>";

  private final AdminAddress address;
  private final Handler<HttpServerRequest> next;

  TokenGate(AdminAddress address, Handler<HttpServerRequest> next) {
    this.address = address;
    this.next = next;
  }

  @Override
  public void handle(HttpServerRequest request) {
    // One route for the server's metrics: a label must not take a value that a caller chooses.
    request.routed("grpc");
    String path = request.path();
    boolean open = path != null && path.startsWith(HEALTH);
    if (open || address.permits(request.getHeader("authorization"))) {
      next.handle(request);
      return;
    }
    // A call that fails before its first message is answered with headers only.
    request
        .response()
        .putHeader("content-type", "application/grpc")
        .putHeader(GrpcHeaderNames.GRPC_STATUS, GrpcStatus.UNAUTHENTICATED.toString())
        .putHeader(GrpcHeaderNames.GRPC_MESSAGE, MESSAGE)
        .putHeader(
            GrpcHeaderNames.GRPC_STATUS_DETAILS_BIN,
            StatusDetails.encode(GrpcStatus.UNAUTHENTICATED, ErrorCode.ILLEGAL_CLIENT, MESSAGE))
        .end();
  }
}
