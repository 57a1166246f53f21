package io.moonpool.node;

import static io.moonpool.node.RoundTripTest.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers of a node's REST that read or send nothing, and one that does. */
class StalledPeersTest {
  private static final int PART = 4 << 20;
  private static final int STALLED = 30;
  private static final long WAIT_MILLIS = 2_000;

  @TempDir Path directory;
  private Cluster cluster;
  private Node node;
  private final List<Socket> stalled = new ArrayList<>();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final byte[] value = random(4 * PART, 1);

  @BeforeEach
  void start() throws Exception {
    cluster = new Cluster(directory);
    node = cluster.node(cluster.settings("a").stagingWaitMillis(WAIT_MILLIS).build());
    assertThat(send(request("value").PUT(BodyPublishers.ofByteArray(value))).statusCode())
        .isEqualTo(201);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : stalled) {
      socket.close();
    }
    http.close();
    cluster.close();
  }

  private HttpRequest.Builder request(String key) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + node.httpPort() + "/v1/objects/" + key))
        .timeout(Duration.ofSeconds(30));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  private void stall(String request) throws IOException {
    for (int i = 0; i < STALLED; i++) {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(4_096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.httpPort()));
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      stalled.add(socket);
    }
  }

  private double metric(String name) throws Exception {
    String text =
        http.send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + node.httpPort() + "/metrics"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private void awaitWaiting() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> metric("moonpool_node_http_staging_waits_total") > 0);
  }

  /** Sends again as long as it is told to try again later, within some bound. */
  private HttpResponse<byte[]> sendUntilServed(HttpRequest.Builder request) {
    List<HttpResponse<byte[]>> last = new ArrayList<>();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              HttpResponse<byte[]> response = send(request);
              last.add(response);
              if (response.statusCode() == 503) {
                assertThat(response.headers().firstValue("Retry-After")).contains("1");
              }
              return response.statusCode() != 503;
            });
    return last.getLast();
  }

  /** Values go in and out, each in bounded time. */
  private void assertServed() throws Exception {
    for (int i = 0; i < 3; i++) {
      HttpResponse<byte[]> got = sendUntilServed(request("value"));
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(got.body()).isEqualTo(value);
      HttpResponse<byte[]> put =
          sendUntilServed(request("other-" + i).PUT(BodyPublishers.ofByteArray(value, 0, PART)));
      assertThat(put.statusCode()).isEqualTo(201);
    }
    assertThat(metric("moonpool_node_http_idle_cuts_total")).isPositive();
  }

  @Test
  void readersThatDoNotReadDoNotKeepOthersFromReading() throws Exception {
    stall("GET /v1/objects/value HTTP/1.1\r\nHost: a\r\n\r\n");
    awaitWaiting();
    assertServed();
  }

  @Test
  void writersThatDoNotSendDoNotKeepOthersFromWriting() throws Exception {
    stall("PUT /v1/objects/never HTTP/1.1\r\nHost: a\r\nContent-Length: " + PART + "\r\n\r\n");
    awaitWaiting();
    assertServed();
    assertThat(send(request("never")).statusCode()).isEqualTo(404);
  }
}
