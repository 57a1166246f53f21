package io.moonpool.app.documents;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import io.vertx.grpc.reflection.v1.ServerReflectionResponse;
import io.vertx.grpc.reflection.v1.ServiceResponse;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A gRPC port of which nothing is known but what it tells by reflection. Calls block.
 *
 * <p>Symbols are full names without a leading dot, as in {@code moonpool.v1.Objects}.
 */
final class ReflectedServer {
  private static final int LIMIT_SECONDS = 60;
  private static final String DETAILS = "grpc-status-details-bin";
  private static final ServiceMethod<ServerReflectionResponse, ServerReflectionRequest> REFLECT =
      ServiceMethod.client(
          ServiceName.create("grpc.reflection.v1", "ServerReflection"),
          "ServerReflectionInfo",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(ServerReflectionResponse.newBuilder()));

  private final GrpcClient client;
  private final SocketAddress address;
  private final Map<String, String> headers;
  private final Map<String, FileDescriptor> files = new HashMap<>();

  ReflectedServer(Vertx vertx, String host, int port, Map<String, String> headers) {
    this.client = GrpcClient.client(vertx);
    this.address = SocketAddress.inetSocketAddress(port, host);
    this.headers = Map.copyOf(headers);
  }

  /**
   * How a call ended.
   *
   * @param answer the bytes of the answer; empty when there is none
   * @param details what the port told about a failure
   */
  record Ended(GrpcStatus status, String message, byte[] answer, Status details) {}

  /** The names of all services. */
  List<String> services() {
    return reflect(ServerReflectionRequest.newBuilder().setListServices("*").build())
        .getListServicesResponse()
        .getServiceList()
        .stream()
        .map(ServiceResponse::getName)
        .sorted()
        .toList();
  }

  /** The file that declares a symbol. */
  FileDescriptor fileOf(String symbol) {
    return file(ServerReflectionRequest.newBuilder().setFileContainingSymbol(symbol).build());
  }

  private FileDescriptor file(ServerReflectionRequest request) {
    ByteString bytes = reflect(request).getFileDescriptorResponse().getFileDescriptorProto(0);
    try {
      FileDescriptorProto proto = FileDescriptorProto.parseFrom(bytes);
      FileDescriptor known = files.get(proto.getName());
      if (known != null) {
        return known;
      }
      FileDescriptor[] dependencies = new FileDescriptor[proto.getDependencyCount()];
      for (int i = 0; i < dependencies.length; i++) {
        String name = proto.getDependency(i);
        FileDescriptor dependency = files.get(name);
        dependencies[i] =
            dependency != null
                ? dependency
                : file(ServerReflectionRequest.newBuilder().setFileByFilename(name).build());
      }
      FileDescriptor file = FileDescriptor.buildFrom(proto, dependencies);
      files.put(proto.getName(), file);
      return file;
    } catch (InvalidProtocolBufferException | DescriptorValidationException e) {
      throw new IllegalStateException("the descriptors do not fit together", e);
    }
  }

  private ServerReflectionResponse reflect(ServerReflectionRequest request) {
    ServerReflectionResponse response =
        await(request(REFLECT).compose(call -> firstAnswer(call, request)));
    if (response.hasErrorResponse()) {
      throw new IllegalArgumentException(response.getErrorResponse().getErrorMessage());
    }
    return response;
  }

  /** Reflection is a stream: it ends when the caller has heard enough. */
  private static <Q, A> Future<A> firstAnswer(GrpcClientRequest<Q, A> call, Q request) {
    call.write(request);
    return call.response()
        .compose(
            response -> {
              Promise<A> first = Promise.promise();
              response.handler(first::tryComplete);
              response.exceptionHandler(first::tryFail);
              response.endHandler(end -> first.tryFail("the port says " + response.status()));
              return first.future().onComplete(done -> call.end());
            });
  }

  /** Calls a method with the bytes of its request. */
  Ended call(String service, String method, byte[] request) {
    int dot = service.lastIndexOf('.');
    ServiceMethod<Buffer, Buffer> target =
        ServiceMethod.client(
            ServiceName.create(service.substring(0, dot), service.substring(dot + 1)),
            method,
            GrpcMessageEncoder.IDENTITY,
            GrpcMessageDecoder.IDENTITY);
    return await(
        request(target)
            .compose(
                call -> {
                  call.end(Buffer.buffer(request));
                  return call.response();
                })
            .compose(
                response ->
                    response
                        .last()
                        .otherwise((Buffer) null)
                        .compose(
                            answer ->
                                response
                                    .end()
                                    .otherwiseEmpty()
                                    .map(end -> ended(response, answer)))));
  }

  private static Ended ended(GrpcClientResponse<Buffer, Buffer> response, Buffer answer) {
    // A call that failed before its first message has everything in the headers.
    String details = response.headers().get(DETAILS);
    if (details == null && response.trailers() != null) {
      details = response.trailers().get(DETAILS);
    }
    try {
      return new Ended(
          response.status(),
          response.statusMessage() == null ? "" : response.statusMessage(),
          answer == null ? new byte[0] : answer.getBytes(),
          details == null
              ? Status.getDefaultInstance()
              : Status.parseFrom(Base64.getDecoder().decode(details)));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the details of the status are none", e);
    }
  }

  private <Q, A> Future<GrpcClientRequest<Q, A>> request(ServiceMethod<A, Q> method) {
    return client
        .request(address, method)
        .map(
            call -> {
              headers.forEach((name, value) -> call.headers().set(name, value));
              return call;
            });
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer within " + LIMIT_SECONDS + " s", e);
    }
  }
}
