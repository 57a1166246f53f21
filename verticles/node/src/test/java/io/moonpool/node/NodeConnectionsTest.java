package io.moonpool.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.node.disk.DiskConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that may have three connections to each of its ports. */
class NodeConnectionsTest {
  private static final int LIMIT = 3;

  @TempDir Path directory;
  private Cluster cluster;
  private Node node;
  private int diskPort;
  private final List<Socket> sockets = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    cluster = new Cluster(directory);
    node = cluster.node(cluster.settings("a").maxConnections(LIMIT).disk(disk()).build());
  }

  private DiskConfig disk() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      diskPort = free.getLocalPort();
    }
    return Cluster.diskAt(directory.resolve("disk"), diskPort);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    cluster.close();
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // reset
    }
  }

  private static String ask(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write("GET /metrics HTTP/1.1\r\nHost: node\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    byte[] line = socket.getInputStream().readNBytes(15);
    return new String(line, StandardCharsets.US_ASCII);
  }

  private String metrics() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + "/metrics"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void moreConnectionsToHttpAreClosedAtOnceAndThoseThatGoMakeRoom() throws Exception {
    List<Socket> admitted = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      admitted.add(connect(node.httpPort()));
    }
    // Silent ones count, too; and all of them are served.
    assertThat(isClosed(connect(node.httpPort()))).isTrue();
    for (Socket socket : admitted) {
      assertThat(ask(socket)).isEqualTo("HTTP/1.1 200 OK");
    }
    assertThat(isClosed(connect(node.httpPort()))).isTrue();

    admitted.getFirst().close();
    awaitMetrics("moonpool_node_port_connections{port=\"http\"} 3.0");
  }

  /** Until there is a connection free to ask for them, and they say that. */
  private void awaitMetrics(String... expected) {
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(metrics()).contains(expected));
  }

  @Test
  void moreConnectionsToTheDiskPortAreClosedAtOnce() throws Exception {
    for (int i = 0; i < LIMIT; i++) {
      connect(diskPort);
    }
    awaitMetrics("moonpool_node_port_connections{port=\"disk\"} 3.0");
    assertThat(isClosed(connect(diskPort))).isTrue();
    awaitMetrics("moonpool_node_port_connections_refused_total{port=\"disk\"} 1.0");
  }

  @Test
  void moreConnectionsToTheDataPortAreClosedAtOnceAndThoseThatGoMakeRoom() throws Exception {
    List<Socket> admitted = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      admitted.add(connect(node.dataPort()));
    }
    awaitMetrics("moonpool_node_port_connections{port=\"data\"} 3.0");
    assertThat(isClosed(connect(node.dataPort()))).isTrue();
    awaitMetrics("moonpool_node_port_connections_refused_total{port=\"data\"} 1.0");

    admitted.getFirst().close();
    awaitMetrics("moonpool_node_port_connections{port=\"data\"} 2.0");
  }
}
