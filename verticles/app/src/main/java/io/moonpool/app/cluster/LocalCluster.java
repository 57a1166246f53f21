package io.moonpool.app.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
  private static final String DISK = "disk_dir";

  /** A node is drained when the last read lease on what it had is over: who watches waits. */
  private static final long SHORT_LEASE_MILLIS = 2_000;

  private static final Map<String, String> MASTER =
      Map.of(
          "cluster_id",
          "demo",
          "rpc_host",
          HOST,
          "rpc_port",
          "0",
          "grpc_port",
          "0",
          "heartbeat_port",
          "0",
          "http_port",
          "0");

  private final JavaCommand java;
  private final Path folder;
  private final ServerProcess master;
  private final int masterPort;
  private final int masterHttpPort;
  private final List<LocalNode> nodes;

  private LocalCluster(
      JavaCommand java,
      Path folder,
      ServerProcess master,
      int masterPort,
      int masterHttpPort,
      List<LocalNode> nodes) {
    this.java = java;
    this.folder = folder;
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
   * @param settings that it was started with
   */
  public record LocalNode(
      ServerProcess process, UUID id, int httpPort, Map<String, String> settings) {
    /** Copies the settings. */
    public LocalNode {
      settings = Map.copyOf(settings);
    }

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
   * @param transport by which it is lent; empty: by all
   */
  public record Lent(long memoryBytes, @Nullable Path disks, long diskBytes, String transport) {
    /** By all transports. */
    public Lent(long memoryBytes, @Nullable Path disks, long diskBytes) {
      this(memoryBytes, disks, diskBytes, "");
    }

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
    return start(java, folder, masterSettings(lent), Collections.nCopies(nodes, settings(lent)));
  }

  /**
   * Starts a cluster whose nodes differ. On a failure nothing is left running.
   *
   * @param master settings of the master beside its ports
   * @param nodes settings of each node beside its name, its ports and where the master is; {@code
   *     disk_dir} is a folder in which it gets a directory of its name
   * @throws IOException saying what did not start, with the end of its log
   */
  public static LocalCluster start(
      JavaCommand java, Path folder, Map<String, String> master, List<Map<String, String>> nodes)
      throws IOException, InterruptedException {
    List<ServerProcess> started = new ArrayList<>();
    boolean complete = false;
    try {
      Map<String, String> all = new LinkedHashMap<>(MASTER);
      all.putAll(master);
      ServerProcess process =
          ServerProcess.start(java, "master", "master", folder, all, HEAP_MEGABYTES);
      started.add(process);
      Map<String, String> masterReady = process.awaitReady(START_LIMIT);
      int masterPort = Integer.parseInt(told(masterReady, "rpc"));
      int masterHttpPort = Integer.parseInt(told(masterReady, "http"));
      List<ServerProcess> processes = new ArrayList<>();
      List<Map<String, String>> settings = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        String name = "node-" + (i + 1);
        settings.add(nodeSettings(name, masterPort, nodes.get(i)));
        ServerProcess node =
            ServerProcess.start(java, "node", name, folder, settings.get(i), HEAP_MEGABYTES);
        started.add(node);
        processes.add(node);
      }
      List<LocalNode> serving = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        serving.add(serving(processes.get(i), settings.get(i)));
      }
      complete = true;
      return new LocalCluster(java, folder, process, masterPort, masterHttpPort, serving);
    } finally {
      if (!complete) {
        started.forEach(ServerProcess::close);
      }
    }
  }

  private static LocalNode serving(ServerProcess node, Map<String, String> settings)
      throws IOException, InterruptedException {
    Map<String, String> ready = node.awaitReady(START_LIMIT);
    return new LocalNode(
        node, UUID.fromString(told(ready, "id")), Integer.parseInt(told(ready, "http")), settings);
  }

  /**
   * Stops a node in order and starts it again: what was in its memory is gone, what is on its disk
   * is still there. Blocks meanwhile.
   *
   * @param index of the node
   * @throws IOException when it does not start, with the end of its log
   */
  public void restartNode(int index) throws IOException, InterruptedException {
    LocalNode node = nodes.get(index);
    node.process().requestStop();
    node.process().awaitStopped(STOP_LIMIT);
    ServerProcess again =
        ServerProcess.start(
            java, "node", node.process().name(), folder, node.settings(), HEAP_MEGABYTES);
    boolean complete = false;
    try {
      nodes.set(index, serving(again, node.settings()));
      complete = true;
    } finally {
      if (!complete) {
        again.close();
      }
    }
  }

  private static Map<String, String> masterSettings(Lent lent) {
    Map<String, String> settings = new LinkedHashMap<>();
    // It lives for minutes: a rehearsal would take more from its first calls than it gives to them.
    settings.put("rehearsal", "false");
    if (lent.disks() != null) {
      settings.put("data_dir", "master");
      settings.put("lease_ttl_ms", String.valueOf(SHORT_LEASE_MILLIS));
    }
    return settings;
  }

  private static Map<String, String> settings(Lent lent) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("segment_bytes", String.valueOf(lent.memoryBytes()));
    if (!lent.transport().isEmpty()) {
      settings.put("transports", lent.transport());
    }
    if (lent.disks() != null) {
      settings.put(DISK, lent.disks().toAbsolutePath().toString());
      settings.put("disk_staging_bytes", "64MiB");
      settings.put("disk_quota_bytes", String.valueOf(lent.diskBytes()));
    }
    return settings;
  }

  private static Map<String, String> nodeSettings(
      String name, int masterPort, Map<String, String> given) {
    Map<String, String> settings = new LinkedHashMap<>(given);
    settings.put("master_host", HOST);
    settings.put("master_port", String.valueOf(masterPort));
    settings.put("name", name);
    settings.put("data_dir", name);
    settings.computeIfPresent(DISK, (setting, disks) -> Path.of(disks, name).toString());
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
    return "http://" + masterAdmin();
  }

  /** The same as {@code host:port}. */
  public String masterAdmin() {
    return HOST + ":" + masterHttpPort;
  }

  /** The master. */
  public ServerProcess master() {
    return master;
  }

  /** The nodes. */
  public List<LocalNode> nodes() {
    return List.copyOf(nodes);
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
