package io.moonpool.node;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;

/** A running node. Any thread may use it; futures complete on a context of its Vert.x instance. */
public final class Node {
  private final WorkerExecutor worker;
  private final DataDirectory directory;
  private final MoonpoolClient client;
  private final int httpPort;
  private final int dataPort;

  private Node(
      WorkerExecutor worker,
      DataDirectory directory,
      MoonpoolClient client,
      int httpPort,
      int dataPort) {
    this.worker = worker;
    this.directory = directory;
    this.client = client;
    this.httpPort = httpPort;
    this.dataPort = dataPort;
  }

  /**
   * Starts a node: locks its data directory, allocates and serves its segments, registers with the
   * master, mounts, and opens its HTTP port.
   *
   * <p>Fails with a sentence that says what to do when the directory is in use, a port is taken, or
   * the master cannot be reached or refuses the node.
   */
  public static Future<Node> start(Vertx vertx, NodeConfig config) {
    WorkerExecutor worker = vertx.createSharedWorkerExecutor("moonpool-node-memory", 2);
    Callable<DataDirectory> open = () -> DataDirectory.open(Path.of(config.dataDir()));
    return worker
        .executeBlocking(open)
        .compose(
            directory ->
                MoonpoolClient.connect(
                        vertx, ClientOptions.of(config.masterHost(), config.masterPort()))
                    .map(client -> new Node(worker, directory, client, 0, 0))
                    .onFailure(failed -> directory.close()))
        .onFailure(failed -> worker.close());
  }

  /** The node's id, persisted in its data directory. */
  public UUID id() {
    return directory.nodeId();
  }

  /** The port that HTTP listens on. */
  public int httpPort() {
    return httpPort;
  }

  /** The port that the tcp transport listens on; 0 when it is not served. */
  public int dataPort() {
    return dataPort;
  }

  /**
   * Unmounts the segments, stops serving and gives everything back. What can not be done because
   * the master is gone is left to the master's timeouts.
   */
  public Future<Void> close() {
    return client
        .close()
        .eventually(
            () ->
                worker.executeBlocking(
                    () -> {
                      directory.close();
                      return null;
                    }))
        .eventually(worker::close);
  }
}
