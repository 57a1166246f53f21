package io.moonpool.master.bus;

import com.hazelcast.config.Config;
import io.moonpool.master.bus.example.PlacementService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.concurrent.TimeUnit;

/**
 * A service in a process of its own that joins a master's cluster and knows nothing else of
 * Moonpool than addresses and JSON. Arguments: cluster name, port of a member, a key that exists.
 * Prints one line for each step, and ends when the segment that it was told of has gone.
 */
public final class ClusterMember {
  private ClusterMember() {}

  public static void main(String[] args) {
    try {
      run(args);
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  // begin: use
  private static void run(String[] args) throws Exception {
    Vertx vertx = join(args[0], args[1]);
    PlacementService service = new PlacementService();
    await(vertx.deployVerticle(service));
    System.out.println("JOINED");
    System.out.println("SEGMENTS " + await(service.segmentsOf(args[2])));
    System.out.println("SEGMENTS " + await(service.segmentsOf("no such object")));
    try {
      await(
          vertx
              .eventBus()
              .request("moonpool.v1.objects.describe", new JsonObject().put("key", "none")));
    } catch (ReplyException e) {
      System.out.println("FAILED " + e.failureCode() + " " + e.getMessage());
    }
    System.out.println("WAITING");
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (service.lostSegments().isEmpty() && System.nanoTime() < deadlineNanos) {
      await(vertx.timer(20, TimeUnit.MILLISECONDS));
    }
    System.out.println("LOST " + service.lostSegments());
    await(vertx.close());
  }

  private static Vertx join(String cluster, String memberPort) {
    Config hazelcast = ConfigUtil.loadConfig();
    hazelcast.setClusterName(cluster);
    hazelcast.setProperty("hazelcast.phone.home.enabled", "false");
    hazelcast.setProperty("hazelcast.socket.bind.any", "false");
    hazelcast.setProperty("hazelcast.wait.seconds.before.join", "0");
    hazelcast.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    hazelcast.getNetworkConfig().setPort(Integer.parseInt(memberPort)).setPortAutoIncrement(true);
    hazelcast.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    hazelcast.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    hazelcast
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .setEnabled(true)
        .addMember("127.0.0.1:" + memberPort);
    return await(
        Vertx.builder()
            .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
            .withClusterManager(new HazelcastClusterManager(hazelcast))
            .buildClustered());
  }

  // end: use

  private static <T> T await(Future<T> future) {
    return future.await();
  }
}
