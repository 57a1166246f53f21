package io.moonpool.app.command;

import io.moonpool.app.config.Component;
import io.moonpool.node.Node;
import io.moonpool.node.NodeConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code moonpool node}. */
@Command(
    name = "node",
    abbreviateSynopsis = true,
    description = {
      "Run a node: it lends memory of this machine to the pool and serves REST for people and"
          + " scripts.",
      "Prints 'READY node id=... http=... data=... pid=...' to stdout when it serves, and stops in an"
          + " orderly way on SIGTERM or Ctrl-C: its segments are unmounted. A node with a disk first"
          + " writes there what is in memory only, and fails naming what it could not.",
    })
final class NodeCommand extends ServerCommand<NodeConfig> {
  NodeCommand() {
    super(Component.NODE);
  }

  @Override
  Duration closeLimit(NodeConfig config) {
    Duration limit = super.closeLimit(config);
    return config.disk().enabled() ? limit.plusMillis(config.disk().shutdownMillis()) : limit;
  }

  @Override
  Future<Running> start(NodeConfig config) {
    Vertx vertx = Vertx.builder().with(new VertxOptions().setPreferNativeTransport(true)).build();
    return Node.start(vertx, config)
        .<Running>map(node -> new RunningNode(vertx, node))
        .onFailure(failed -> vertx.close());
  }

  private record RunningNode(Vertx vertx, Node node) implements Running {
    @Override
    public ServerAddress address() {
      Map<String, Integer> ports = new LinkedHashMap<>();
      ports.put("http", node.httpPort());
      ports.put("data", node.dataPort());
      return new ServerAddress("node", node.id().toString(), ports);
    }

    @Override
    public Future<Void> close() {
      // A future of the instance would have to complete on a loop that is closed by then.
      Promise<Void> closed = Promise.promise();
      node.close().onComplete(done -> vertx.close().onComplete(ended -> closed.handle(done)));
      return closed.future();
    }
  }
}
