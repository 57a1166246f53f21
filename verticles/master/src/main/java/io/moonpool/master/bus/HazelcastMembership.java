package io.moonpool.master.bus;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.TcpIpConfig;
import io.moonpool.master.MasterConfig;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;

/**
 * How a master joins a cluster of Hazelcast: over TCP, with the members that its configuration
 * names. Nothing is searched for in the network, and nothing is reported to anybody.
 */
final class HazelcastMembership {
  private HazelcastMembership() {}

  static ClusterManager of(MasterConfig config) {
    Config hazelcast = ConfigUtil.loadConfig();
    hazelcast.setClusterName(config.clusterId());
    hazelcast.setProperty("hazelcast.phone.home.enabled", "false");
    hazelcast.setProperty("hazelcast.logging.type", "slf4j");
    // Members come one by one here; waiting for more of them only delays the start.
    hazelcast.setProperty("hazelcast.wait.seconds.before.join", "0");
    // Vert.x closes the cluster after what runs on it; Hazelcast must not close itself before.
    hazelcast.setProperty("hazelcast.shutdownhook.enabled", "false");
    // Without this it listens on every address, whatever the interfaces below say.
    hazelcast.setProperty("hazelcast.socket.bind.any", "false");

    NetworkConfig network = hazelcast.getNetworkConfig();
    network.setPort(config.clusterBusPort()).setPortAutoIncrement(true);
    network.getInterfaces().setEnabled(true).addInterface(config.clusterBusHost());
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    TcpIpConfig members = network.getJoin().getTcpIpConfig().setEnabled(true);
    members.addMember(config.clusterBusHost() + ":" + config.clusterBusPort());
    config.clusterBusMembers().forEach(members::addMember);
    return new HazelcastClusterManager(hazelcast);
  }
}
