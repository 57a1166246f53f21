package io.moonpool.app.packaged;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A master that keeps a journal and nodes that lend a disk, each a process of the packaged
 * application that can be killed and started again in the same place. Nodes are suspected after a
 * second, so that a killed one may come back soon.
 */
final class DiskServers implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int HEAP_MEGABYTES = 256;

  private final Path folder;
  private final String segmentBytes;
  private final Map<String, String> masterSettings;
  private final Map<String, String> nodeSettings;
  private final List<ServerProcess> nodes = new ArrayList<>();
  private ServerProcess master;
  private Map<String, String> ports = Map.of();

  /**
   * Nothing is started.
   *
   * @param segmentBytes the memory of each node
   */
  DiskServers(Path folder, String segmentBytes) {
    this(folder, segmentBytes, Map.of());
  }

  /**
   * Nothing is started.
   *
   * @param masterSettings beside those that are always the same
   */
  DiskServers(Path folder, String segmentBytes, Map<String, String> masterSettings) {
    this(folder, segmentBytes, masterSettings, Map.of());
  }

  /**
   * Nothing is started.
   *
   * @param masterSettings beside those that are always the same
   * @param nodeSettings as well, of each node
   */
  DiskServers(
      Path folder,
      String segmentBytes,
      Map<String, String> masterSettings,
      Map<String, String> nodeSettings) {
    this.folder = folder;
    this.segmentBytes = segmentBytes;
    this.masterSettings = masterSettings;
    this.nodeSettings = nodeSettings;
  }

  /** Starts the master: on any ports the first time, later where it was before. */
  void startMaster() throws IOException, InterruptedException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("rpc_host", "127.0.0.1");
    settings.put("data_dir", "master");
    for (String name : List.of("rpc", "grpc", "heartbeat", "http")) {
      settings.put(name + "_port", ports.getOrDefault(name, "0"));
    }
    settings.put("client_active_ttl_ms", "1000");
    settings.put("client_suspicion_ttl_ms", "1000");
    settings.put("lease_ttl_ms", "500");
    settings.put("rehearsal", "false");
    settings.putAll(masterSettings);
    master = ServerProcess.start(FatJar.JAVA, "master", "master", folder, settings, HEAP_MEGABYTES);
    ports = Map.copyOf(master.awaitReady(LIMIT));
  }

  /** Starts a node of that number, 0 for the first. */
  void startNode(int number) throws IOException, InterruptedException {
    ServerProcess node = launch(number);
    node.awaitReady(LIMIT);
  }

  /** Starts a node that lends no disk. */
  void startMemoryNode(int number) throws IOException, InterruptedException {
    ServerProcess node = launch(number, Map.of());
    node.awaitReady(LIMIT);
  }

  private ServerProcess launch(int number) throws IOException {
    return launch(
        number,
        Map.of(
            "disk_dir",
            "disk-" + number,
            "disk_bucket_linger_ms",
            "20",
            "disk_staging_bytes",
            "64MiB"));
  }

  private ServerProcess launch(int number, Map<String, String> diskSettings) throws IOException {
    String name = "node-" + number;
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("master_host", "127.0.0.1");
    settings.put("master_port", String.valueOf(port()));
    settings.put("name", name);
    settings.put("data_dir", name);
    settings.putAll(diskSettings);
    settings.put("segment_bytes", segmentBytes);
    settings.put("data_port", "0");
    settings.put("http_port", "0");
    settings.put("heartbeat_interval_ms", "100");
    settings.putAll(nodeSettings);
    ServerProcess node =
        ServerProcess.start(FatJar.JAVA, "node", name, folder, settings, HEAP_MEGABYTES);
    while (nodes.size() <= number) {
      nodes.add(node);
    }
    nodes.set(number, node);
    return node;
  }

  /** Starts all nodes, those that there were before, together. */
  void startNodesAgain() throws IOException, InterruptedException {
    List<ServerProcess> started = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      started.add(launch(i));
    }
    for (ServerProcess node : started) {
      node.awaitReady(LIMIT);
    }
  }

  /** Where the master's hot calls go. */
  int port() {
    return Integer.parseInt(ports.get("rpc"));
  }

  /** Where the master's REST is. */
  int httpPort() {
    return Integer.parseInt(ports.get("http"));
  }

  /** What the master serves at {@code /metrics}. */
  String metrics() throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + ports.get("http") + "/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
    }
  }

  /** A client of these servers. */
  MoonpoolClient connect(Vertx vertx) {
    return Await.result(
        MoonpoolClient.connect(
            vertx, ClientOptions.of("127.0.0.1", port()).but().transports(List.of("tcp")).build()),
        LIMIT);
  }

  /** The process id of a node. */
  long nodePid(int number) {
    return nodes.get(number).pid();
  }

  /** The log of a node. */
  Path nodeLog(int number) {
    return nodes.get(number).log();
  }

  void killMaster() throws InterruptedException {
    kill(master);
  }

  void killNode(int number) throws InterruptedException {
    kill(nodes.get(number));
  }

  void killNodes() throws InterruptedException {
    nodes.forEach(ServerProcess::close);
    for (ServerProcess node : nodes) {
      node.awaitStopped(LIMIT);
    }
  }

  private static void kill(ServerProcess process) throws InterruptedException {
    process.close();
    process.awaitStopped(LIMIT);
  }

  @Override
  public void close() {
    nodes.forEach(ServerProcess::close);
    if (master != null) {
      master.close();
    }
  }
}
