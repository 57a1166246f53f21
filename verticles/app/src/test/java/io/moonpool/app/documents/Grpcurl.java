package io.moonpool.app.documents;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorInfo;
import io.moonpool.app.documents.ReflectedServer.Ended;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The part of grpcurl that the documents use, on machines that do not have it: {@code grpcurl
 * -plaintext [-H 'NAME: VALUE'] [-d JSON] HOST:PORT (list [SERVICE] | describe SYMBOL |
 * SERVICE/METHOD)}. It prints what grpcurl prints, and like it knows nothing of Moonpool.
 */
final class Grpcurl {
  private final ReflectedServer server;
  private final PrintStream out;

  private Grpcurl(ReflectedServer server, PrintStream out) {
    this.server = server;
    this.out = out;
  }

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    int code = 1;
    try {
      code = run(vertx, new ArrayDeque<>(List.of(args)));
    } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
      System.err.println("Error: " + e.getMessage());
    } finally {
      vertx.close();
    }
    System.exit(code);
  }

  private static int run(Vertx vertx, Deque<String> args) throws InvalidProtocolBufferException {
    String json = "{}";
    Map<String, String> headers = new HashMap<>();
    while (args.peek() != null && args.peek().startsWith("-")) {
      switch (args.pop()) {
        case "-plaintext" -> {}
        case "-d" -> json = args.pop();
        case "-H" -> {
          String[] header = args.pop().split(": *", 2);
          headers.put(header[0], header[1]);
        }
        default -> throw new IllegalArgumentException("an option that is not known here");
      }
    }
    String[] address = args.pop().split(":", 2);
    Grpcurl caller =
        new Grpcurl(
            new ReflectedServer(vertx, address[0], Integer.parseInt(address[1]), headers),
            System.out);
    String what = args.pop();
    return switch (what) {
      case "list" -> caller.list(args.peek());
      case "describe" -> caller.describe(args.pop());
      default -> caller.call(what, json);
    };
  }

  private int list(String service) {
    if (service == null) {
      server.services().forEach(out::println);
      return 0;
    }
    service(service).getMethods().stream()
        .map(MethodDescriptor::getFullName)
        .sorted()
        .forEach(out::println);
    return 0;
  }

  private ServiceDescriptor service(String name) {
    ServiceDescriptor service = server.fileOf(name).findServiceByName(simple(name));
    if (service == null) {
      throw new IllegalArgumentException(name + " is no service");
    }
    return service;
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private int describe(String symbol) {
    FileDescriptor file = server.fileOf(symbol);
    GenericDescriptor found =
        Stream.<GenericDescriptor>concat(
                Stream.concat(file.getServices().stream(), file.getMessageTypes().stream()),
                Stream.concat(
                    file.getEnumTypes().stream(),
                    file.getServices().stream().flatMap(s -> s.getMethods().stream())))
            .filter(candidate -> candidate.getFullName().equals(symbol))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no symbol " + symbol));
    switch (found) {
      case ServiceDescriptor service -> {
        out.println(symbol + " is a service:\nservice " + service.getName() + " {");
        service.getMethods().stream()
            .sorted(Comparator.comparing(MethodDescriptor::getName))
            .forEach(method -> out.println("  " + rpc(method)));
        out.println("}");
      }
      case MethodDescriptor method -> out.println(symbol + " is a method:\n" + rpc(method));
      case Descriptor message -> {
        out.println(symbol + " is a message:\nmessage " + message.getName() + " {");
        message.getFields().forEach(field -> out.println("  " + field(field)));
        out.println("}");
      }
      case EnumDescriptor constants -> {
        out.println(symbol + " is an enum:\nenum " + constants.getName() + " {");
        constants
            .getValues()
            .forEach(
                value -> out.println("  " + value.getName() + " = " + value.getNumber() + ";"));
        out.println("}");
      }
      default -> throw new IllegalArgumentException(symbol + " cannot be described");
    }
    return 0;
  }

  private static String rpc(MethodDescriptor method) {
    return "rpc "
        + method.getName()
        + " ( "
        + (method.isClientStreaming() ? "stream ." : ".")
        + method.getInputType().getFullName()
        + " ) returns ( "
        + (method.isServerStreaming() ? "stream ." : ".")
        + method.getOutputType().getFullName()
        + " );";
  }

  private static String field(FieldDescriptor field) {
    String type =
        switch (field.getJavaType()) {
          case MESSAGE -> "." + field.getMessageType().getFullName();
          case ENUM -> "." + field.getEnumType().getFullName();
          default -> field.getType().name().toLowerCase(java.util.Locale.ROOT);
        };
    String label = field.isRepeated() ? "repeated " : field.hasPresence() ? "optional " : "";
    return (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
            ? label.replace("optional ", "")
            : label)
        + type
        + " "
        + field.getName()
        + " = "
        + field.getNumber()
        + ";";
  }

  private int call(String path, String json) throws InvalidProtocolBufferException {
    String service = path.substring(0, path.indexOf('/'));
    String method = path.substring(path.indexOf('/') + 1);
    MethodDescriptor descriptor = service(service).findMethodByName(method);
    if (descriptor == null) {
      throw new IllegalArgumentException("service " + service + " has no method " + method);
    }
    DynamicMessage.Builder request = DynamicMessage.newBuilder(descriptor.getInputType());
    JsonFormat.parser().merge(json, request);
    Ended ended = server.call(service, method, request.build().toByteArray());
    if (ended.status() != GrpcStatus.OK) {
      out.println("ERROR:\n  Code: " + camelCase(ended.status().name()));
      out.println("  Message: " + ended.message());
      printDetails(ended.details().getDetailsList());
      return 64 + ended.status().code;
    }
    out.println(
        JsonFormat.printer()
            .print(DynamicMessage.parseFrom(descriptor.getOutputType(), ended.answer())));
    return 0;
  }

  private void printDetails(List<Any> details) throws InvalidProtocolBufferException {
    if (details.isEmpty()) {
      return;
    }
    JsonFormat.Printer printer =
        JsonFormat.printer()
            .usingTypeRegistry(TypeRegistry.newBuilder().add(ErrorInfo.getDescriptor()).build());
    out.println("  Details:");
    for (int i = 0; i < details.size(); i++) {
      String json = printer.print(details.get(i));
      out.println("  " + (i + 1) + ")\t" + json.replace("\n", "\n    \t"));
    }
  }

  private static String camelCase(String status) {
    StringBuilder name = new StringBuilder();
    for (String word : status.split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
    }
    return name.toString();
  }
}
