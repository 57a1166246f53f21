package io.moonpool.master.bus;

import io.moonpool.master.MasterConfig;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;

/**
 * The clustered event bus of a master, where its configuration asks for one. What a master needs
 * inside never travels on it: only the public addresses are registered with the cluster.
 *
 * <p>Hazelcast is an optional library, so only {@link HazelcastMembership} names its classes.
 */
public final class ClusteredBus {
  private ClusteredBus() {}

  /** Options with the address of the bus in them. */
  public static VertxOptions configure(VertxOptions options, MasterConfig config) {
    EventBusOptions bus =
        new EventBusOptions(options.getEventBusOptions())
            .setHost(config.clusterBusHost())
            .setPort(0);
    return new VertxOptions(options).setEventBusOptions(bus);
  }

  /**
   * A builder whose Vert.x will join the cluster.
   *
   * @throws IllegalArgumentException when the library is missing, or the configuration names a
   *     member that cannot be
   */
  public static VertxBuilder join(VertxBuilder builder, MasterConfig config) {
    try {
      return builder.withClusterManager(HazelcastMembership.of(config));
    } catch (NoClassDefFoundError e) {
      throw new IllegalArgumentException(
          "cluster_bus needs the library io.vertx:vertx-hazelcast on the class path: add it, or set"
              + " cluster_bus to false",
          e);
    }
  }
}
