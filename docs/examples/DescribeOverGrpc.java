import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;

/**
 * Asks a master over gRPC how large an object is. Arguments: the master's gRPC port, as host:port,
 * and a key.
 */
public final class DescribeOverGrpc {
  private DescribeOverGrpc() {}

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    String[] address = args[0].split(":");
    size(vertx, address[0], Integer.parseInt(address[1]), args[1])
        .onSuccess(bytes -> System.out.println(args[1] + " has " + bytes + " bytes"))
        .onFailure(failure -> System.out.println("failed: " + failure.getMessage()))
        .eventually(vertx::close);
  }

  private static Future<Long> size(Vertx vertx, String host, int port, String key) {
    // begin: describe
    ObjectsGrpcClient objects =
        ObjectsGrpcClient.create(
            GrpcClient.client(vertx), SocketAddress.inetSocketAddress(port, host));
    return objects
        .describe(NamedRequest.newBuilder().setKey(key).build())
        .map(object -> object.getSize());
    // end: describe
  }
}
