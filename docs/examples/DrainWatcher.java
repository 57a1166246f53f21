import com.hazelcast.config.Config;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A Vert.x service that evicts nodes which fall silent again and again: it hears over the clustered
 * event bus how the master sees its nodes, and drains one that has come back from SUSPECTED as
 * often as it was told to tolerate. What becomes of its drains it hears as well. It knows nothing
 * of Moonpool but addresses and JSON.
 *
 * <p>Arguments: the master's cluster_id, its cluster_bus_port, and how often a node may come back.
 */
public final class DrainWatcher extends VerticleBase {
  private final int tolerated;
  private final Map<String, Integer> returns = new HashMap<>();
  private final Set<String> drained = new HashSet<>();

  DrainWatcher(int tolerated) {
    this.tolerated = tolerated;
  }

  public static void main(String[] args) {
    join(args[0], Integer.parseInt(args[1]))
        .compose(vertx -> vertx.deployVerticle(new DrainWatcher(Integer.parseInt(args[2]))))
        .onSuccess(deployed -> System.out.println("WATCHING"))
        .onFailure(
            failure -> {
              System.err.println("failed: " + failure.getMessage());
              System.exit(1);
            });
  }

  // begin: watch
  @Override
  public Future<?> start() {
    return Future.all(
        vertx
            .eventBus()
            .<JsonObject>consumer("moonpool.v1.client.events", this::nodeChanged)
            .completion(),
        vertx
            .eventBus()
            .<JsonObject>consumer("moonpool.v1.drain.events", this::drainChanged)
            .completion());
  }

  private void nodeChanged(Message<JsonObject> message) {
    JsonObject event = message.body();
    if (!event.getString("event").equals("liveness")) {
      return;
    }
    String node = event.getString("node_id");
    System.out.println("NODE " + node + " " + event.getString("from") + " -> " + event.getString("to"));
    if (event.getString("to").equals("active")
        && returns.merge(node, 1, Integer::sum) > tolerated
        && drained.add(node)) {
      drain(node);
    }
  }

  private void drain(String node) {
    vertx
        .eventBus()
        .<JsonObject>request(
            "moonpool.v1.drains.create",
            new JsonObject().put("node", node).put("deadline_ms", 600_000))
        .onSuccess(job -> System.out.println("DRAIN " + job.body().getString("job_id")))
        .onFailure(
            failure -> {
              // Perhaps it went away again: it may be drained the next time that it comes back.
              drained.remove(node);
              System.err.println("not drained: " + failure.getMessage());
            });
  }

  private void drainChanged(Message<JsonObject> message) {
    JsonObject job = message.body().getJsonObject("job");
    switch (message.body().getString("event")) {
      case "succeeded" -> System.out.println("EMPTY " + job.getLong("succeeded_units") + " moved");
      case "failed" -> System.out.println("LEFT " + job.getString("message"));
      default -> {
        // On its way.
      }
    }
  }

  // end: watch

  private static Future<Vertx> join(String cluster, int port) {
    Config hazelcast = ConfigUtil.loadConfig();
    hazelcast.setClusterName(cluster);
    hazelcast.setProperty("hazelcast.phone.home.enabled", "false");
    hazelcast.setProperty("hazelcast.socket.bind.any", "false");
    hazelcast.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    hazelcast.getNetworkConfig().setPort(port).setPortAutoIncrement(true);
    hazelcast.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    hazelcast.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    hazelcast
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .setEnabled(true)
        .addMember("127.0.0.1:" + port);
    return Vertx.builder()
        .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
        .withClusterManager(new HazelcastClusterManager(hazelcast))
        .buildClustered();
  }
}
