package io.moonpool.app.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A master and some nodes on loopback, each a process of its own, on ports that were free. */
public final class LocalCluster {
  private static final String HOST = "127.0.0.1";
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final int HEAP_MEGABYTES = 256;

  private final ServerProcess master;
  private final int masterPort;
  private final int masterHttpPort;
  private final List<LocalNode> nodes;

  private LocalCluster(
      ServerProcess master, int masterPort, int masterHttpPort, List<LocalNode> nodes) {
    this.master = master;
    this.masterPort = masterPort;
    this.masterHttpPort = masterHttpPort;
    this.nodes = nodes;
  }

  /**
   * A node of the cluster.
   *
   * @param id the node's id
   * @param httpPort where its REST is
   */
  public record LocalNode(ServerProcess process, UUID id, int httpPort) {
    /** Where its REST is. */
    public String url() {
      return "http://" + HOST + ":" + httpPort;
    }
  }

  /**
   * What each node lends.
   *
   * @param memoryBytes of memory
   * @param disks folder in which each node gets a directory of its name for its disk; null: none
   * @param diskBytes the quota of each disk
   */
  public record Lent(long memoryBytes, @Nullable Path disks, long diskBytes) {
    /** Memory alone. */
    public static Lent memory(long bytes) {
      return new Lent(bytes, null, 0);
    }
  }

  /**
   * Starts a cluster and waits until all of it serves. On a failure nothing is left running.
   *
   * @param java how to run this application
   * @param folder gets configuration, logs and data of all processes
   * @param nodes how many
   * @param lent what each node lends
   * @throws IOException saying what did not start, with the end of its log
   */
  public static LocalCluster start(JavaCommand java, Path folder, int nodes, Lent lent)
      throws IOException, InterruptedException {
    List<ServerProcess> started = new ArrayList<>();
    boolean complete = false;
    try {
      ServerProcess master =
          ServerProcess.start(
              java, "master", "master", folder, masterSettings(lent), HEAP_MEGABYTES);
      started.add(master);
      Map<String, String> masterReady = master.awaitReady(START_LIMIT);
      int masterPort = Integer.parseInt(told(masterReady, "rpc"));
      int masterHttpPort = Integer.parseInt(told(masterReady, "http"));
      List<ServerProcess> processes = new ArrayList<>();
      for (int i = 1; i <= nodes; i++) {
        String name = "node-" + i;
        ServerProcess node =
            ServerProcess.start(
                java, "node", name, folder, nodeSettings(name, masterPort, lent), HEAP_MEGABYTES);
        started.add(node);
        processes.add(node);
      }
      List<LocalNode> serving = new ArrayList<>();
      for (ServerProcess node : processes) {
        Map<String, String> ready = node.awaitReady(START_LIMIT);
        serving.add(
            new LocalNode(
                node, UUID.fromString(told(ready, "id")), Integer.parseInt(told(ready, "http"))));
      }
      complete = true;
      return new LocalCluster(master, masterPort, masterHttpPort, List.copyOf(serving));
    } finally {
      if (!complete) {
        started.forEach(ServerProcess::close);
      }
    }
  }

  private static Map<String, String> masterSettings(Lent lent) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("cluster_id", "demo");
    settings.put("rpc_host", HOST);
    for (String name : List.of("rpc", "grpc", "heartbeat", "http")) {
      settings.put(name + "_port", "0");
    }
    if (lent.disks() != null) {
      settings.put("data_dir", "master");
    }
    return settings;
  }

  private static Map<String, String> nodeSettings(String name, int masterPort, Lent lent) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("master_host", HOST);
    settings.put("master_port", String.valueOf(masterPort));
    settings.put("name", name);
    settings.put("data_dir", name);
    settings.put("segment_bytes", String.valueOf(lent.memoryBytes()));
    Path disks = lent.disks();
    if (disks != null) {
      settings.put("disk_dir", disks.resolve(name).toAbsolutePath().toString());
      settings.put("disk_staging_bytes", "64MiB");
      settings.put("disk_quota_bytes", String.valueOf(lent.diskBytes()));
    }
    settings.put("data_host", HOST);
    settings.put("data_port", "0");
    settings.put("http_port", "0");
    return settings;
  }

  private static String told(Map<String, String> ready, String name) throws IOException {
    String value = ready.get(name);
    if (value == null) {
      throw new IOException("a server did not tell its " + name + ", only " + ready);
    }
    return value;
  }

  /** The address that all of it listens on. */
  public String host() {
    return HOST;
  }

  /** Where the master's hot calls go. */
  public int masterPort() {
    return masterPort;
  }

  /** Where the master's REST, metrics and health are. */
  public String masterUrl() {
    return "http://" + HOST + ":" + masterHttpPort;
  }

  /** The master. */
  public ServerProcess master() {
    return master;
  }

  /** The nodes. */
  public List<LocalNode> nodes() {
    return nodes;
  }

  /** Stops the nodes, then the master, in order; kills what takes too long. Blocks meanwhile. */
  public void stop() throws InterruptedException {
    for (LocalNode node : nodes) {
      node.process().requestStop();
    }
    for (LocalNode node : nodes) {
      node.process().awaitStopped(STOP_LIMIT);
    }
    master.requestStop();
    master.awaitStopped(STOP_LIMIT);
  }
}
