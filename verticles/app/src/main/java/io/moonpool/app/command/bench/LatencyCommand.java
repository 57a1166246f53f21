package io.moonpool.app.command.bench;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.bench.latency.LatencyBench;
import io.moonpool.bench.latency.LatencyRow;
import io.moonpool.client.ClientOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code moonpool bench latency}. */
@Command(
    name = "latency",
    description = {
      "Put and get one object at a time from one client to a node in another process, beside Redis"
          + " in the same run."
    })
final class LatencyCommand implements Callable<Integer> {
  private static final long NODE_BYTES = 1L << 30;

  @Mixin private FigureOptions figures = new FigureOptions();

  @Option(
      names = "--transports",
      split = ",",
      defaultValue = "tcp",
      description = "How the client reaches the node's memory, best first. Default: tcp.")
  private List<String> transports = List.of();

  @Option(
      names = "--count",
      defaultValue = "20000",
      description = "Operations per row at most. Default: 20000.")
  private int count;

  @Option(
      names = "--mebibytes",
      defaultValue = "2048",
      description = "MiB moved per row at most. Default: 2048.")
  private long mebibytes;

  @Option(
      names = "--redis",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Measure redis-server beside it when it is installed. Default: yes.")
  private boolean redis;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return BenchCluster.load(1, NODE_BYTES, this::run).number();
  }

  private ExitCode run(Vertx vertx, LocalCluster cluster)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    PrintWriter out = figures.text();
    ClientOptions client =
        ClientOptions.of(cluster.host(), cluster.masterPort()).but().transports(transports).build();
    out.println(LatencyRow.tableHeader());
    out.flush();
    List<JsonObject> measured = new ArrayList<>();
    LatencyBench.run(
        vertx,
        new LatencyBench.Settings(client, figures.bytes(), mebibytes << 20, count, redis),
        row -> {
          out.println(row.toTableLine());
          out.flush();
          measured.add(row.toJson());
        });
    figures.write(measured);
    return ExitCode.OK;
  }
}
