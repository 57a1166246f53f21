package io.moonpool.master.grpc;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.moonpool.model.ErrorCode;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Base64;

/** The details of a failed call, for the trailer {@code grpc-status-details-bin}. */
final class StatusDetails {
  private static final String DOMAIN = "moonpool";

  private StatusDetails() {}

  /** A google.rpc.Status with one google.rpc.ErrorInfo: name and number of the error. */
  static String encode(GrpcStatus status, ErrorCode code, String message) {
    ErrorInfo info =
        ErrorInfo.newBuilder()
            .setReason(code.name())
            .setDomain(DOMAIN)
            .putMetadata("code", Integer.toString(code.number()))
            .build();
    byte[] bytes =
        Status.newBuilder()
            .setCode(status.code)
            .setMessage(message)
            .addDetails(Any.pack(info))
            .build()
            .toByteArray();
    // Binary metadata travels as Base64; padding is optional and left out.
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }
}
