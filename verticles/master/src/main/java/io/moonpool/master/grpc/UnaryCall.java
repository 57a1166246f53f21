package io.moonpool.master.grpc;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Timer;
import io.vertx.grpc.common.CodecException;
import io.vertx.grpc.common.GrpcHeaderNames;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import io.vertx.grpc.server.StatusException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call with one request and one answer. Each failure, thrown or not, ends it with a status that
 * names the error of the table; it ends once, whoever is first: the answer, the caller who cancels,
 * or the deadline.
 */
final class UnaryCall<Q, A> {
  private static final Logger LOG = LoggerFactory.getLogger(UnaryCall.class);
  private static final String IDENTITY = "identity";

  private final ServiceMethod<Q, A> method;
  private final GrpcServerResponse<Q, A> response;
  private boolean called;
  private boolean ended;

  private UnaryCall(ServiceMethod<Q, A> method, GrpcServerRequest<Q, A> request) {
    this.method = method;
    response = request.response();
    request.errorHandler(cancelled -> ended = true);
    request.invalidMessageHandler(
        tooLarge -> fail(invalid("the message is larger than this port reads: send less")));
    Timer deadline = request.deadline();
    if (deadline != null) {
      // The server ends the call when its deadline passes.
      deadline.onSuccess(passed -> ended = true);
    }
  }

  /** Lets {@code call} answer a method; it may throw what it could also fail with. */
  static <Q, A> void bind(
      GrpcServer server, ServiceMethod<Q, A> method, Function<Q, Future<A>> call) {
    server.callHandler(method, request -> new UnaryCall<>(method, request).serve(request, call));
  }

  private void serve(GrpcServerRequest<Q, A> request, Function<Q, Future<A>> call) {
    request.messageHandler(
        message -> {
          called = true;
          decode(method, message).compose(call).onComplete(this::answer, this::fail);
        });
    request.endHandler(
        end -> {
          if (!called) {
            fail(invalid("the call has no message: send one"));
          }
        });
  }

  /** Only what is not compressed: a few bytes must not be able to grow into gigabytes here. */
  static <Q> Future<Q> decode(ServiceMethod<Q, ?> method, GrpcMessage message) {
    if (!message.encoding().equals(IDENTITY)) {
      return Future.failedFuture(
          new StatusException(
              GrpcStatus.UNIMPLEMENTED, "this port reads no compressed messages: send them plain"));
    }
    try {
      return Future.succeededFuture(method.decoder().decode(message));
    } catch (CodecException e) {
      return Future.failedFuture(
          invalid("the message cannot be read: check the .proto that it was made with"));
    }
  }

  static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }

  private void answer(A answer) {
    if (!ended) {
      ended = true;
      response.end(answer);
    }
  }

  private void fail(Throwable failure) {
    if (ended) {
      return;
    }
    ended = true;
    refuse(method, response, failure);
  }

  /** Ends a call that has not answered yet with the status of a failure. */
  static <Q, A> void refuse(
      ServiceMethod<Q, A> method, GrpcServerResponse<Q, A> response, Throwable failure) {
    if (failure instanceof StatusException other) {
      response.status(other.status()).statusMessage(String.valueOf(other.message())).end();
      return;
    }
    StoreException known;
    if (failure instanceof StoreException e) {
      known = e;
    } else {
      LOG.error("{} failed", method.fullMethodName(), failure);
      known = new StoreException(ErrorCode.INTERNAL_ERROR);
    }
    GrpcStatus status = GrpcStatuses.of(known.code());
    response
        .trailers()
        .set(
            GrpcHeaderNames.GRPC_STATUS_DETAILS_BIN,
            StatusDetails.encode(status, known.code(), known.sentence()));
    response.status(status).statusMessage(known.sentence()).end();
  }
}
