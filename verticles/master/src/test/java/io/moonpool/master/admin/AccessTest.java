package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.request.AdminAddresses;
import io.moonpool.protocol.access.AccessToken;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may use the HTTP interface. */
class AccessTest {
  private static final String TOKEN = "0123456789abcdef";

  private static AdminOptions protectedOptions(boolean openMetrics) {
    AdminAddress address =
        new AdminAddress("127.0.0.1", 0, Optional.of(AccessToken.of(TOKEN)), Optional.empty());
    return new AdminOptions(address, openMetrics, AdminOptions.DEFAULT_MAX_BODY_BYTES);
  }

  @Test
  void withoutATokenItListensOnLoopbackOnly() {
    for (String host : List.of("0.0.0.0", "::", "192.0.2.1")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new AdminAddress(host, 0, Optional.empty(), Optional.empty()))
          .withMessageContaining("set admin_token, or listen on 127.0.0.1");
    }
    for (String host : List.of("127.0.0.1", "127.1.2.3", "::1", "localhost")) {
      assertThat(new AdminAddress(host, 0, Optional.empty(), Optional.empty()).host())
          .isEqualTo(host);
    }
  }

  @Test
  void theConfigurationDecides() {
    assertThat(AdminAddresses.http(MasterConfig.DEFAULT).host()).isEqualTo("127.0.0.1");
    MasterConfig open = MasterConfig.builder().adminHost("0.0.0.0").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdminAddresses.grpc(open))
        .withMessageContaining("admin_token");
    MasterConfig withToken = MasterConfig.builder().adminToken(TOKEN).build();
    assertThat(AdminAddresses.http(withToken).host()).isEqualTo("0.0.0.0");
    assertThat(AdminAddresses.http(withToken).permits("Bearer " + TOKEN)).isTrue();
    MasterConfig noFile = MasterConfig.builder().tlsCert("/none.pem").tlsKey("/none.key").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdminAddresses.http(noFile))
        .withMessageContaining("/none.pem is not a file that this process can read");
  }

  @Test
  void refusesTokensThatNoHeaderCanCarry() {
    for (String token : List.of("", " ", "two words", "naïve", "a\n")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> AccessToken.of(token))
          .withMessageContaining("admin_token must consist of");
    }
    assertThat(AccessToken.of(TOKEN).toString()).doesNotContain(TOKEN);
  }

  @Test
  void permitsTheTokenAndNothingElse() {
    AccessToken token = AccessToken.of(TOKEN);
    assertThat(token.permits("Bearer " + TOKEN)).isTrue();
    assertThat(token.permits("bearer " + TOKEN)).isTrue();
    for (String header :
        new String[] {
          null,
          "",
          "Bearer",
          "Bearer ",
          TOKEN,
          "Basic " + TOKEN,
          "Bearer " + TOKEN + "x",
          "Bearer " + TOKEN.substring(1),
          "Bearer " + TOKEN.toUpperCase()
        }) {
      assertThat(token.permits(header)).as(header).isFalse();
    }
  }

  @Test
  void asksForTheTokenEverywhereButHealth() {
    try (AdminFixture admin = new AdminFixture(protectedOptions(false))) {
      for (String path :
          List.of(
              "/api/v1/objects",
              "/api/v1/cluster",
              "/api/v1/openapi.yaml",
              "/metrics",
              "/no/such/path")) {
        RestCaller.Reply reply = admin.rest.get(path);
        assertThat(reply.status()).as(path).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(reply.json())
            .isEqualTo(
                new JsonObject()
                    .put("error", "ILLEGAL_CLIENT")
                    .put("code", -601)
                    .put(
                        "message",
                        "this interface needs the master's admin_token: send the header"
                            + " Authorization: Bearer <token>"));
      }
      assertThat(admin.rest.get("/health/live").status()).isEqualTo(200);
      assertThat(admin.rest.get("/health/ready").status()).isEqualTo(200);
      RestCaller withToken = admin.rest.withToken(TOKEN);
      assertThat(withToken.get("/api/v1/objects").status()).isEqualTo(200);
      assertThat(withToken.get("/metrics").status()).isEqualTo(200);
      assertThat(withToken.get("/no/such/path").status()).isEqualTo(404);
      assertThat(admin.rest.withToken("wrong").get("/api/v1/objects").status()).isEqualTo(401);
    }
  }

  @Test
  void metricsCanBeOpen() {
    try (AdminFixture admin = new AdminFixture(protectedOptions(true))) {
      assertThat(admin.rest.get("/metrics").status()).isEqualTo(200);
      assertThat(admin.rest.get("/api/v1/objects").status()).isEqualTo(401);
    }
  }
}
