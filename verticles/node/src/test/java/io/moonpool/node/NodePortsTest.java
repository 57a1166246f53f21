package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Addresses that a node cannot listen on. */
class NodePortsTest {
  @TempDir Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() {
    cluster = new Cluster(directory);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Starts a node in vain, and then one with the same directory: nothing was left behind. */
  private void assertNamed(UnaryOperator<NodeConfig.Builder> wrong, String... parts) {
    assertThatThrownBy(
            () -> await(Node.start(cluster.vertx(), wrong.apply(cluster.settings("node")).build())))
        .hasMessageContainingAll(parts);
    Node node = cluster.node("node");
    assertThat(node.httpPort()).isPositive();
    cluster.close(node);
  }

  @Test
  void areNamedByTheirSettings() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertNamed(settings -> settings.httpPort(port), "http_port", "127.0.0.1:" + port);
      assertNamed(settings -> settings.dataPort(port), "data_port", "127.0.0.1:" + port);
      assertNamed(settings -> settings.mooncakePort(port), "mooncake_port", "port " + port);
      assertNamed(
          settings -> settings.mooncakeDataPort(port), "mooncake_data_port", "port " + port);
      assertNamed(
          settings -> settings.disk(Cluster.diskAt(directory.resolve("disk"), port)),
          "disk_port",
          "127.0.0.1:" + port);
    }
    // An address for documentation, which no machine has.
    assertNamed(settings -> settings.dataHost("192.0.2.1"), "data_host", "192.0.2.1");
  }
}
