package io.moonpool.master;

import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.RestCaller;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.bus.BusInterface;
import io.moonpool.master.grpc.GrpcInterface;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import java.util.List;

/**
 * A master with all its interfaces, on free ports of loopback, and callers of each.
 *
 * @param test over frames
 * @param rest over HTTP
 */
public record WholeMaster(TestMaster test, RestCaller rest, GrpcClient grpcClient)
    implements AutoCloseable {
  /** Starts one. Nodes need not ping it. */
  public static WholeMaster start(MasterConfig.Builder config) {
    MasterMetrics metrics = new MasterMetrics();
    TestMaster test =
        TestMaster.of(
            TestMaster.await(
                Master.start(
                    config.ephemeral().clientActiveTtlMillis(600_000).build(),
                    metrics.configure(new VertxOptions()),
                    metrics::addTo,
                    List.of(
                        new AdminInterface(metrics), new GrpcInterface(), new BusInterface()))));
    return new WholeMaster(
        test,
        new RestCaller(test.master().ports().http()),
        GrpcClient.client(test.master().vertx()));
  }

  public SocketAddress grpcAddress() {
    return SocketAddress.inetSocketAddress(test.master().ports().grpc(), "127.0.0.1");
  }

  /** The answer of a request over the event bus. */
  public JsonObject ask(String address, JsonObject body) {
    return TestMaster.await(
        test.master().vertx().eventBus().<JsonObject>request(address, body).map(Message::body));
  }

  @Override
  public void close() {
    test.close();
  }
}
