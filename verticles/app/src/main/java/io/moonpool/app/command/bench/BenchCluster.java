package io.moonpool.app.command.bench;

import io.moonpool.app.cluster.JavaCommand;
import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The cluster that a load test loads, in processes of its own, and the client side's Vert.x. */
final class BenchCluster {
  private BenchCluster() {}

  /** A load test. */
  interface Load {
    ExitCode run(Vertx vertx, LocalCluster cluster)
        throws IOException, InterruptedException, ExecutionException, TimeoutException;
  }

  /**
   * Starts a cluster, loads it and stops it. Blocks meanwhile.
   *
   * @param bytesPerNode the memory that each node lends
   * @throws CommandFailure when an operation of the load fails; says where the logs are
   */
  static ExitCode load(int nodes, long bytesPerNode, Load load)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("moonpool-bench-");
    LocalCluster cluster =
        LocalCluster.start(
            JavaCommand.own(), folder, nodes, LocalCluster.Lent.memory(bytesPerNode));
    Vertx vertx = Vertx.builder().with(new VertxOptions().setPreferNativeTransport(true)).build();
    try {
      return load.run(vertx, cluster);
    } catch (ExecutionException | TimeoutException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "the load failed: " + e.getMessage() + "; logs are in " + folder);
    } finally {
      vertx.close();
      cluster.stop();
    }
  }
}
