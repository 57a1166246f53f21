package io.moonpool.master.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.admin.AdminFixture;
import io.moonpool.master.admin.AdminOptions;
import io.moonpool.master.admin.FakeDrains;
import io.moonpool.master.admin.FakeLiveness;
import io.moonpool.master.admin.FakeMaster;
import io.moonpool.master.admin.FakeStats;
import io.moonpool.master.grpc.GrpcOptions;
import io.moonpool.master.grpc.GrpcVerticle;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.access.TlsFiles;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ListClientsRequest;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administrative ports under TLS. */
class TlsTest {
  @TempDir Path folder;

  private Vertx vertx;
  private TestCertificate certificate;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    certificate = TestCertificate.create(folder);
  }

  @AfterEach
  void stop() {
    AdminFixture.await(vertx.close());
  }

  private AdminAddress address() {
    Optional<TlsFiles> files =
        TlsFiles.of(certificate.certificate().toString(), certificate.key().toString());
    return new AdminAddress("127.0.0.1", 0, Optional.empty(), files);
  }

  private HttpClientOptions trusting() {
    return new HttpClientOptions()
        .setSsl(true)
        .setTrustOptions(new PemTrustOptions().addCertPath(certificate.certificate().toString()));
  }

  @Test
  void servesHttpInBothVersions() {
    try (AdminFixture admin = new AdminFixture(AdminOptions.of(address()))) {
      String longest = "k".repeat(65_535);
      admin.master.with(longest);
      for (HttpVersion version : new HttpVersion[] {HttpVersion.HTTP_1_1, HttpVersion.HTTP_2}) {
        HttpClientAgent client =
            vertx.createHttpClient(
                trusting().setProtocolVersion(version).setUseAlpn(version == HttpVersion.HTTP_2));
        Buffer body =
            AdminFixture.await(
                client
                    .request(HttpMethod.GET, admin.port, "localhost", "/api/v1/objects/" + longest)
                    // Nested: the body of an answer is lost when it is asked for too late.
                    .compose(
                        request ->
                            request
                                .send()
                                .compose(
                                    response -> {
                                      assertThat(response.version()).isEqualTo(version);
                                      assertThat(response.statusCode()).isEqualTo(200);
                                      return response.body();
                                    })));
        assertThat(body.toJsonObject().getString("key")).isEqualTo(longest);
      }
    }
  }

  @Test
  void doesNotServePlainTextOnATlsPort() {
    try (AdminFixture admin = new AdminFixture(AdminOptions.of(address()))) {
      assertThatThrownBy(() -> admin.rest.get("/health/live")).hasMessageContaining("failed");
      HttpClientAgent untrusting = vertx.createHttpClient(new HttpClientOptions().setSsl(true));
      assertThatThrownBy(
              () ->
                  AdminFixture.await(
                      untrusting.request(HttpMethod.GET, admin.port, "localhost", "/health/live")))
          .hasStackTraceContaining("SSLHandshakeException");
    }
  }

  @Test
  void servesGrpc() {
    GrpcVerticle verticle =
        new GrpcVerticle(
            GrpcOptions.of(address()),
            new FakeMaster(),
            new FakeDrains(),
            new FakeLiveness(),
            new FakeLiveness(),
            new FakeStats());
    AdminFixture.await(vertx.deployVerticle(verticle));
    GrpcClient client = GrpcClient.client(vertx, trusting().setUseAlpn(true));
    ClientsGrpcClient clients =
        ClientsGrpcClient.create(
            client, SocketAddress.inetSocketAddress(verticle.port(), "localhost"));
    assertThat(
            AdminFixture.await(clients.list(ListClientsRequest.getDefaultInstance()))
                .getClientsCount())
        .isEqualTo(1);
  }

  @Test
  void refusesHalfAConfiguration() throws Exception {
    String file = Files.writeString(folder.resolve("x"), "no certificate").toString();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TlsFiles.of(file, ""))
        .withMessageContaining("tls_cert and tls_key belong together");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TlsFiles.of(file, folder.toString()))
        .withMessageContaining("tls_key: ");
    assertThat(TlsFiles.of("", "")).isEmpty();
    AdminAddress broken =
        new AdminAddress("127.0.0.1", 0, Optional.empty(), TlsFiles.of(file, file));
    GrpcVerticle verticle =
        new GrpcVerticle(
            GrpcOptions.of(broken),
            new FakeMaster(),
            new FakeDrains(),
            new FakeLiveness(),
            new FakeLiveness(),
            new FakeStats());
    assertThatThrownBy(() -> AdminFixture.await(vertx.deployVerticle(verticle)))
        .hasRootCauseInstanceOf(Exception.class);
  }
}
