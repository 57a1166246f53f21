package io.moonpool.node;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.node.disk.DiskConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A master, nodes and clients in this JVM, over real sockets. */
final class Cluster implements AutoCloseable {
  /** Never evicted: what it writes fills a pool for good. */
  static final WriteOptions PINNED =
      WriteOptions.of(
          new ReplicateConfig(
              1,
              ReplicateConfig.DEFAULT.softPinAction(),
              ReplicateConfig.DEFAULT.softPinTtlMillis(),
              true,
              List.of(),
              false,
              ReplicateConfig.DEFAULT.dataType(),
              "",
              List.of()));

  private final Path directory;
  private final UnaryOperator<MasterConfig.Builder> masterSettings;
  private final List<Vertx> instances = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<MoonpoolClient> clients = new ArrayList<>();
  private Master master;

  Cluster(Path directory) {
    this(directory, settings -> settings);
  }

  Cluster(Path directory, UnaryOperator<MasterConfig.Builder> masterSettings) {
    this.directory = directory;
    this.masterSettings = masterSettings;
    MasterConfig.Builder settings = MasterConfig.builder().ephemeral().metadataLoops(1);
    this.master = await(Master.start(masterSettings.apply(settings).build()));
  }

  Master master() {
    return master;
  }

  /** Stops the master; its nodes and clients stay. */
  void stopMaster() {
    await(master.close());
  }

  /** Starts a master where the last one was. */
  void restartMaster() {
    MasterConfig.Builder settings =
        MasterConfig.builder()
            .ephemeral()
            .metadataLoops(1)
            .rpcPort(master.ports().rpc())
            .heartbeatPort(master.ports().heartbeat());
    master = await(Master.start(masterSettings.apply(settings).build()));
  }

  /** The settings of a node with a directory of that name. */
  NodeConfig.Builder settings(String name) {
    return NodeConfig.builder()
        .ephemeral()
        .masterPort(master.ports().rpc())
        .name(name)
        .hostId("host-" + name)
        .dataDir(directory.resolve(name).toString())
        .segmentBytes(List.of("64MiB"))
        .transports(List.of("tcp"))
        .partBytes(4 << 20)
        .stagingBytes(32 << 20)
        .putSpaceWaitMillis(500)
        .heartbeatIntervalMillis(100);
  }

  Node node(String name) {
    return node(settings(name).build());
  }

  Node node(NodeConfig config) {
    Node node = await(Node.start(vertx(), config));
    nodes.add(node);
    return node;
  }

  /** Closes a node that may fail to close in order. */
  void close(Node node) {
    nodes.remove(node);
    await(node.close());
  }

  /** A Vert.x instance that is closed with the cluster: nodes are as apart as processes are. */
  Vertx vertx() {
    Vertx vertx = Vertx.vertx();
    instances.add(vertx);
    return vertx;
  }

  MoonpoolClient client() {
    return client(options());
  }

  ClientOptions options() {
    return ClientOptions.of("127.0.0.1", master.ports().rpc())
        .but()
        .transports(List.of("tcp"))
        .build();
  }

  MoonpoolClient client(ClientOptions options) {
    MoonpoolClient client = await(MoonpoolClient.connect(vertx(), options));
    clients.add(client);
    return client;
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(60, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not complete after 60 s", e);
    }
  }

  @Override
  public void close() {
    clients.forEach(client -> await(client.close()));
    nodes.forEach(node -> await(node.close()));
    await(master.close());
    instances.forEach(vertx -> await(vertx.close()));
  }

  /** A disk of default settings in that directory, which is asked for at that port. */
  static DiskConfig diskAt(Path directory, int port) {
    DiskConfig defaults = DiskConfig.in(directory);
    return new DiskConfig(
        defaults.dir(),
        defaults.quotaBytes(),
        defaults.evictionPolicy(),
        defaults.highWatermark(),
        defaults.lowWatermark(),
        defaults.bucketKeys(),
        defaults.bucketBytes(),
        defaults.bucketLingerMillis(),
        defaults.stagingBytes(),
        defaults.stagingLeaseMillis(),
        port,
        defaults.threads(),
        defaults.queueLimit(),
        defaults.shutdownMillis());
  }
}
