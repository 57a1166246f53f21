package io.moonpool.master.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import io.vertx.grpc.reflection.v1.ServerReflectionResponse;
import io.vertx.grpc.reflection.v1.ServiceResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls a gRPC port knowing nothing but names, as command-line tools do: it asks the port for the
 * descriptors of a method, and translates JSON with them.
 */
final class ReflectionCaller {
  private static final ServiceMethod<ServerReflectionResponse, ServerReflectionRequest> REFLECT =
      ServiceMethod.client(
          ServiceName.create("grpc.reflection.v1", "ServerReflection"),
          "ServerReflectionInfo",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(ServerReflectionResponse.newBuilder()));

  private final GrpcFixture grpc;

  ReflectionCaller(GrpcFixture grpc) {
    this.grpc = grpc;
  }

  /** The names of all services. */
  List<String> services() {
    return reflect(ServerReflectionRequest.newBuilder().setListServices("*").build())
        .getListServicesResponse()
        .getServiceList()
        .stream()
        .map(ServiceResponse::getName)
        .toList();
  }

  /** The answer as JSON, or status, message and error when the call fails. */
  String call(String service, String method, String json) {
    try {
      MethodDescriptor descriptor =
          file(service)
              .findServiceByName(service.substring(service.lastIndexOf('.') + 1))
              .findMethodByName(method);
      DynamicMessage.Builder request = DynamicMessage.newBuilder(descriptor.getInputType());
      JsonFormat.parser().merge(json, request);
      int dot = service.lastIndexOf('.');
      GrpcFixture.Ended<Buffer> ended =
          grpc.call(
              ServiceMethod.client(
                  ServiceName.create(service.substring(0, dot), service.substring(dot + 1)),
                  method,
                  GrpcMessageEncoder.IDENTITY,
                  GrpcMessageDecoder.IDENTITY),
              Buffer.buffer(request.build().toByteArray()));
      if (ended.status() != GrpcStatus.OK) {
        return ended.status() + " " + ended.errorName() + ": " + ended.message();
      }
      DynamicMessage answer =
          DynamicMessage.parseFrom(descriptor.getOutputType(), ended.answer().getBytes());
      return JsonFormat.printer().print(answer);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("the JSON does not fit the method", e);
    }
  }

  private FileDescriptor file(String symbol) {
    ServerReflectionResponse response =
        reflect(ServerReflectionRequest.newBuilder().setFileContainingSymbol(symbol).build());
    return build(response.getFileDescriptorResponse().getFileDescriptorProto(0), new HashMap<>());
  }

  private FileDescriptor build(ByteString bytes, Map<String, FileDescriptor> known) {
    try {
      FileDescriptorProto proto = FileDescriptorProto.parseFrom(bytes);
      FileDescriptor[] dependencies =
          proto.getDependencyList().stream()
              .map(name -> known.containsKey(name) ? known.get(name) : dependency(name, known))
              .toArray(FileDescriptor[]::new);
      FileDescriptor file = FileDescriptor.buildFrom(proto, dependencies);
      known.put(proto.getName(), file);
      return file;
    } catch (InvalidProtocolBufferException | DescriptorValidationException e) {
      throw new AssertionError("the descriptors do not fit together", e);
    }
  }

  private FileDescriptor dependency(String name, Map<String, FileDescriptor> known) {
    ServerReflectionResponse response =
        reflect(ServerReflectionRequest.newBuilder().setFileByFilename(name).build());
    return build(response.getFileDescriptorResponse().getFileDescriptorProto(0), known);
  }

  private ServerReflectionResponse reflect(ServerReflectionRequest request) {
    GrpcFixture.Ended<ServerReflectionResponse> ended = grpc.first(REFLECT, request);
    ServerReflectionResponse response = ended.answer();
    if (response.hasErrorResponse()) {
      throw new AssertionError(response.getErrorResponse().getErrorMessage());
    }
    return response;
  }
}
