package io.moonpool.app.documents;

import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.packaged.FatJar;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cluster of the documents: a master, and nodes {@code a} and {@code b} that lend 64 MiB each.
 * The nodes start one after the other, so what counts them counts them in the same order each time.
 */
final class DocumentedCluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MEGABYTES = 256;
  private static final String HOST = "127.0.0.1";

  private final List<ServerProcess> processes = new ArrayList<>();
  private final Map<String, String> words = new HashMap<>();
  private String masterPort = "";

  /** Starts it; everything that it writes goes to the folder. */
  static DocumentedCluster start(Path folder) throws IOException, InterruptedException {
    return start(folder, Map.of());
  }

  /**
   * Starts it.
   *
   * @param masterSettings instead of its own, or beside them
   */
  static DocumentedCluster start(Path folder, Map<String, String> masterSettings)
      throws IOException, InterruptedException {
    DocumentedCluster cluster = new DocumentedCluster();
    try {
      cluster.startMaster(folder, masterSettings);
      cluster.startNode(folder, "a", "9301");
      cluster.startNode(folder, "b", "9302");
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private void startMaster(Path folder, Map<String, String> others)
      throws IOException, InterruptedException {
    Map<String, String> settings = new HashMap<>();
    settings.put("rpc_host", HOST);
    for (String port : List.of("rpc_port", "grpc_port", "heartbeat_port", "http_port")) {
      settings.put(port, "0");
    }
    // A session that a busy machine runs slowly outlives neither its writes nor its leases.
    settings.put("lease_ttl_ms", "120000");
    settings.put("write_grant_ms", "120000");
    settings.put("rehearsal", "false");
    settings.putAll(others);
    Map<String, String> ready = start(folder, "master", "master", settings);
    masterPort = ready.get("rpc");
    words.put("50051", masterPort);
    words.put("50061", ready.get("grpc"));
    words.put("50062", ready.get("heartbeat"));
    words.put("9003", ready.get("http"));
  }

  private void startNode(Path folder, String name, String documentedPort)
      throws IOException, InterruptedException {
    Map<String, String> settings = new HashMap<>();
    settings.put("master_host", HOST);
    settings.put("master_port", masterPort);
    settings.put("name", name);
    settings.put("host_id", "host-" + name);
    settings.put("data_dir", name);
    settings.put("segment_bytes", "64MiB");
    settings.put("http_port", "0");
    words.put(documentedPort, start(folder, "node", name, settings).get("http"));
  }

  private Map<String, String> start(
      Path folder, String role, String name, Map<String, String> settings)
      throws IOException, InterruptedException {
    ServerProcess process =
        ServerProcess.start(FatJar.JAVA, role, name, folder, settings, HEAP_MEGABYTES);
    processes.add(process);
    return process.awaitReady(LIMIT);
  }

  /** The default ports, as documents show them, and the ports that stand for them here. */
  Map<String, String> words() {
    return words;
  }

  /** The processes: the master, and the nodes a and b. */
  List<ServerProcess> processes() {
    return List.copyOf(processes);
  }

  /** The environment that makes a client talk to it. */
  Map<String, String> environment() {
    return Map.of("MOONPOOL_MASTER", HOST + ":" + masterPort);
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::close);
  }
}
