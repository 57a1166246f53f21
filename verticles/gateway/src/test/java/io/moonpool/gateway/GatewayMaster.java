package io.moonpool.gateway;

import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.model.Checksum;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentSpec;
import io.moonpool.node.NodeConfig;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.StartObjects;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A whole master with the gateway, on free ports of loopback. */
final class GatewayMaster implements AutoCloseable {
  private final Master master;

  private GatewayMaster(Master master) {
    this.master = master;
  }

  /** Clients need no pings: for tests that are not about liveness, however slow the machine is. */
  static MasterConfig.Builder config() {
    return MasterConfig.builder().clientActiveTtlMillis(600_000);
  }

  static GatewayMaster start() {
    return start(config());
  }

  static GatewayMaster start(MasterConfig.Builder config) {
    return new GatewayMaster(
        await(
            Master.start(
                config.ephemeral().build(),
                new VertxOptions(),
                UnaryOperator.identity(),
                List.of(new MooncakeGateway()))));
  }

  /** Closes this master and starts another one at the same ports, which knows nothing. */
  GatewayMaster restart() {
    MasterConfig.Builder config = config();
    int rpc = master.ports().rpc();
    int heartbeat = master.ports().heartbeat();
    close();
    return new GatewayMaster(
        await(
            Master.start(
                config.ephemeral().rpcPort(rpc).heartbeatPort(heartbeat).build(),
                new VertxOptions(),
                UnaryOperator.identity(),
                List.of(new MooncakeGateway()))));
  }

  /** A master whose HTTP interface has the gateway's paths. */
  static GatewayMaster startWithAdmin(MasterConfig.Builder config) {
    MooncakeGateway gateway = new MooncakeGateway();
    MasterMetrics metrics = new MasterMetrics();
    return new GatewayMaster(
        await(
            Master.start(
                config.ephemeral().build(),
                metrics.configure(new VertxOptions()),
                metrics::addTo,
                List.of(new AdminInterface(metrics, gateway::adminAddition), gateway))));
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Does something on a context of the master. */
  <T> T on(Callable<Future<T>> body) {
    io.vertx.core.Promise<T> done = io.vertx.core.Promise.promise();
    master
        .vertx()
        .getOrCreateContext()
        .runOnContext(
            ignored -> {
              try {
                body.call().onComplete(done);
              } catch (Exception e) {
                done.fail(e);
              }
            });
    return await(done.future());
  }

  int port() {
    return master.ports().rpc();
  }

  Master master() {
    return master;
  }

  /** What a node of this master is started with: one segment, reached by tcp. */
  NodeConfig.Builder node(Path directory, String segmentBytes) {
    return NodeConfig.builder()
        .ephemeral()
        .masterPort(port())
        .name("node")
        .dataDir(directory.toString())
        .segmentBytes(List.of(segmentBytes))
        .transports(List.of("tcp"));
  }

  /** Memory that only clients of Moonpool can reach. */
  void mountMoonpoolSegment() {
    UUID node = UUID.randomUUID();
    NodeRegistration registration =
        on(
            () ->
                master
                    .operations()
                    .registerNode(new RegisterNode(node, UUID.randomUUID(), "", "")));
    on(
        () ->
            master
                .operations()
                .mountSegments(
                    new MountSegments(
                        node,
                        registration.incarnation(),
                        List.of(
                            SegmentSpec.memory(
                                UUID.randomUUID(),
                                "moonpool",
                                1 << 20,
                                "",
                                List.of(new SegmentEndpoint("tcp", new byte[] {1})))))));
  }

  /** Puts an object there, which must be the only segment. */
  void putOnMoonpoolSegment(String key, long size) {
    UUID writer = UUID.randomUUID();
    KeyBatch keys = KeyBatch.of(List.of(key));
    long version =
        on(() ->
                master
                    .operations()
                    .putStart(
                        new StartObjects(
                            writer, "", keys, new long[] {size}, ReplicateConfig.DEFAULT)))
            .getFirst()
            .get()
            .version();
    on(
        () ->
            master
                .operations()
                .end(
                    new EndObjects(
                        writer, "", keys, new long[] {version}, List.of(Checksum.NONE))));
  }

  @Override
  public void close() {
    await(master.close());
  }
}
