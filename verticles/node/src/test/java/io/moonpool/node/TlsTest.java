package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static io.moonpool.node.RoundTripTest.assertFails;
import static io.moonpool.node.RoundTripTest.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.with;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.model.ErrorCode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every port under TLS: the master's, the heartbeat's, the data port, HTTP. */
class TlsTest {
  @TempDir Path directory;

  @Test
  void everythingWorksUnderTls() throws Exception {
    SelfSigned tls = SelfSigned.in(directory);
    String certificate = tls.certificate().toString();
    String key = tls.key().toString();
    try (Cluster cluster =
        new Cluster(
            directory,
            settings -> settings.tlsCert(certificate).tlsKey(key).clientActiveTtlMillis(1_000))) {
      Node node =
          cluster.node(
              cluster
                  .settings("a")
                  .masterTlsCa(certificate)
                  .tlsCert(certificate)
                  .tlsKey(key)
                  .dataTls(true)
                  .build());
      ClientOptions trusting = cluster.options().but().tlsCa(certificate).dataTls(true).build();
      MoonpoolClient client = cluster.client(trusting);
      byte[] value = random(5 << 20, 1);
      await(client.put("key", value));
      assertThat(await(client.getBytes("key"))).isEqualTo(value);

      try (HttpClient http = HttpClient.newBuilder().sslContext(tls.trusting()).build()) {
        URI uri = URI.create("https://127.0.0.1:" + node.httpPort() + "/v1/objects/key");
        HttpResponse<byte[]> got =
            http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
        assertThat(got.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(got.body()).isEqualTo(value);
        HttpResponse<Void> longestKey =
            http.send(
                HttpRequest.newBuilder(uri.resolve("x".repeat(65_535)))
                    .PUT(BodyPublishers.ofString("short"))
                    .build(),
                BodyHandlers.discarding());
        assertThat(longestKey.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(longestKey.statusCode()).isEqualTo(201);
        byte[] longer = random(10 << 20, 2);
        HttpRequest put =
            HttpRequest.newBuilder(uri.resolve("long"))
                .PUT(BodyPublishers.ofByteArray(longer))
                .build();
        assertThat(http.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
        assertThat(
                http.send(
                        HttpRequest.newBuilder(uri.resolve("long")).build(),
                        BodyHandlers.ofByteArray())
                    .body())
            .isEqualTo(longer);
      }
      // Pings pass: much longer than the TTL the node stays alive.
      long answered = pings(node);
      with().until(() -> pings(node) > answered + 15);
      assertThat(node.isReady()).isTrue();

      assertFails(
          ErrorCode.RPC_FAIL,
          () -> await(MoonpoolClient.connect(cluster.vertx(), cluster.options())));
    }
  }

  private static long pings(Node node) {
    return node.heartbeatStats().sent.sum();
  }

  @Test
  void theMasterMustBeTheTrustedOne() throws Exception {
    SelfSigned tls = SelfSigned.in(directory);
    Path elsewhere = Files.createDirectory(directory.resolve("other"));
    SelfSigned other = SelfSigned.in(elsewhere);
    try (Cluster cluster =
        new Cluster(
            directory,
            settings ->
                settings.tlsCert(tls.certificate().toString()).tlsKey(tls.key().toString()))) {
      assertFails(
          ErrorCode.RPC_FAIL,
          () ->
              await(
                  MoonpoolClient.connect(
                      cluster.vertx(),
                      cluster.options().but().tlsCa(other.certificate().toString()).build())));
    }
  }

  @Test
  void aMissingFileIsNamed() {
    try (Cluster cluster = new Cluster(directory)) {
      NodeConfig config =
          cluster.settings("a").tlsCert("/nowhere/a.pem").tlsKey("/nowhere/a.key").build();
      assertThatThrownBy(() -> await(Node.start(cluster.vertx(), config)))
          .hasMessageContaining("/nowhere/a.pem is not a file that this process can read");
    }
  }
}
