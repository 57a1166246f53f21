package io.moonpool.master.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.moonpool.master.admin.AdminFixture;
import io.moonpool.master.admin.FakeDrains;
import io.moonpool.master.admin.FakeLiveness;
import io.moonpool.master.admin.FakeMaster;
import io.moonpool.master.admin.FakeStats;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import java.util.Base64;
import java.util.function.Consumer;

/** A gRPC interface over a fake master, and a client of it. */
final class GrpcFixture implements AutoCloseable {
  final FakeMaster master = new FakeMaster();
  final FakeDrains drains = new FakeDrains();
  final FakeLiveness liveness = new FakeLiveness();
  final FakeStats stats = new FakeStats();
  final Vertx vertx = Vertx.vertx();
  final int port;
  private final GrpcClient client = GrpcClient.client(vertx);

  GrpcFixture() {
    this(GrpcOptions.of(AdminAddress.loopback(0)));
  }

  GrpcFixture(GrpcOptions options) {
    GrpcVerticle verticle = new GrpcVerticle(options, master, drains, liveness, liveness, stats);
    AdminFixture.await(vertx.deployVerticle(verticle));
    port = verticle.port();
  }

  /** How a call ended: an answer when the status is OK, else a status with its trailers. */
  record Ended<A>(GrpcStatus status, String message, A answer, MultiMap trailers) {
    /** The error in the details of the status. */
    ErrorInfo error() {
      try {
        Status details =
            Status.parseFrom(Base64.getDecoder().decode(trailers.get("grpc-status-details-bin")));
        if (details.getCode() != status.code || !details.getMessage().equals(message)) {
          throw new AssertionError("status and details differ: " + details);
        }
        return details.getDetails(0).unpack(ErrorInfo.class);
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }

    String errorName() {
      return error().getReason();
    }
  }

  <Q, A> Ended<A> call(ServiceMethod<A, Q> method, Q request) {
    return call(method, request, call -> {});
  }

  <Q, A> Ended<A> call(
      ServiceMethod<A, Q> method, Q request, Consumer<GrpcClientRequest<Q, A>> customisation) {
    return exchange(
        method,
        call -> {
          customisation.accept(call);
          call.end(request);
        });
  }

  <Q, A> Ended<A> exchange(ServiceMethod<A, Q> method, Consumer<GrpcClientRequest<Q, A>> sending) {
    return AdminFixture.await(
        client
            .request(SocketAddress.inetSocketAddress(port, "127.0.0.1"), method)
            .compose(
                call -> {
                  sending.accept(call);
                  return call.response();
                })
            .compose(
                response ->
                    response
                        .last()
                        .otherwise((A) null)
                        .compose(answer -> response.end().otherwiseEmpty().map(done -> answer))
                        .map(answer -> ended(response, answer))));
  }

  /** Sends a request on a stream, and closes it when the first answer has come. */
  <Q, A> Ended<A> first(ServiceMethod<A, Q> method, Q request) {
    return AdminFixture.await(
        client
            .request(SocketAddress.inetSocketAddress(port, "127.0.0.1"), method)
            .compose(
                call -> {
                  call.write(request);
                  return call.response()
                      .compose(
                          response -> {
                            Promise<A> answer = Promise.promise();
                            response.handler(answer::tryComplete);
                            response.exceptionHandler(answer::tryFail);
                            return answer
                                .future()
                                .map(first -> new Ended<>(GrpcStatus.OK, "", first, null))
                                .onComplete(done -> call.end());
                          });
                }));
  }

  /**
   * Sends a request whose answer is a stream.
   *
   * @param answering gets the answer before any message of it arrives, so that it misses none
   */
  <Q, A> GrpcClientRequest<Q, A> open(
      ServiceMethod<A, Q> method, Q request, Handler<GrpcClientResponse<Q, A>> answering) {
    return AdminFixture.await(
        client
            .request(SocketAddress.inetSocketAddress(port, "127.0.0.1"), method)
            .compose(
                call -> {
                  call.response().onSuccess(answering::handle);
                  return call.end(request).map(sent -> call);
                }));
  }

  /** Sends a request, and takes it back when the master has it. */
  <Q, A> Ended<A> callAndCancel(ServiceMethod<A, Q> method, Q request) {
    return AdminFixture.await(
        client
            .request(SocketAddress.inetSocketAddress(port, "127.0.0.1"), method)
            .compose(
                call ->
                    call.end(request)
                        .compose(sent -> master.listAsked())
                        .compose(
                            asked -> {
                              call.cancel();
                              return call.response();
                            }))
            .map(response -> ended(response, (A) null))
            .otherwise(new Ended<>(GrpcStatus.CANCELLED, "", null, null)));
  }

  private static <Q, A> Ended<A> ended(GrpcClientResponse<Q, A> response, A answer) {
    MultiMap all = MultiMap.caseInsensitiveMultiMap();
    // A call that failed before its first message has everything in the headers.
    all.addAll(response.headers());
    if (response.trailers() != null) {
      all.addAll(response.trailers());
    }
    return new Ended<>(response.status(), response.statusMessage(), answer, all);
  }

  @Override
  public void close() {
    AdminFixture.await(vertx.close());
  }
}
