package io.moonpool.master.grpc;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ErrorKind;
import io.vertx.grpc.common.GrpcStatus;

/** The gRPC status of each error of the table. */
public final class GrpcStatuses {
  private GrpcStatuses() {}

  /** The status of a call that failed with that error. */
  public static GrpcStatus of(ErrorCode code) {
    return switch (ErrorKind.of(code)) {
      case NONE -> GrpcStatus.OK;
      case INVALID -> GrpcStatus.INVALID_ARGUMENT;
      case FORBIDDEN -> GrpcStatus.PERMISSION_DENIED;
      case NOT_FOUND -> GrpcStatus.NOT_FOUND;
      case ALREADY_EXISTS -> GrpcStatus.ALREADY_EXISTS;
      case CONFLICT -> GrpcStatus.FAILED_PRECONDITION;
      case LIMIT_EXCEEDED, NO_SPACE -> GrpcStatus.RESOURCE_EXHAUSTED;
      case NOT_SUPPORTED -> GrpcStatus.UNIMPLEMENTED;
      case UNAVAILABLE -> GrpcStatus.UNAVAILABLE;
      case TIMEOUT -> GrpcStatus.DEADLINE_EXCEEDED;
      case DATA_LOSS -> GrpcStatus.DATA_LOSS;
      case INTERNAL -> GrpcStatus.INTERNAL;
    };
  }
}
