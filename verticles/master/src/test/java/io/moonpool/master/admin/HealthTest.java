package io.moonpool.master.admin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Liveness and readiness of the process. */
class HealthTest {
  private AdminFixture admin;
  private RestCaller rest;

  @BeforeEach
  void start() {
    admin = new AdminFixture();
    rest = admin.rest;
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void isReadyWhenAllOwnersAnswerAndTheClockAdvances() {
    RestCaller.Reply reply = rest.get("/health/ready");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().getString("status")).isEqualTo("up");
    assertThat(states(reply))
        .isEqualTo(
            Map.of("metadata", "up", "segments", "up", "clients", "up", "heartbeat_clock", "up"));
  }

  @Test
  void isNotReadyWhileTheHeartbeatClockStands() {
    admin.stats.clockStands.set(true);
    await().atMost(20, SECONDS).until(() -> rest.get("/health/ready").status() == 503);
    RestCaller.Reply reply = rest.get("/health/ready");
    assertThat(states(reply))
        .containsEntry("heartbeat_clock", "down")
        .containsEntry("metadata", "up");
    assertThat(reply.response().body()).contains("the heartbeat loop stands still");
    assertThat(rest.get("/health/live").status()).isEqualTo(200);

    admin.stats.clockStands.set(false);
    await().atMost(20, SECONDS).until(() -> rest.get("/health/ready").status() == 200);
  }

  @Test
  void isNotReadyWhileAnOwnerDoesNotAnswer() {
    admin.master.breakDown();
    RestCaller.Reply reply = rest.get("/health/ready");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(states(reply))
        .isEqualTo(
            Map.of("metadata", "down", "segments", "up", "clients", "up", "heartbeat_clock", "up"));
    assertThat(rest.get("/health/live").status()).isEqualTo(200);
  }

  private static Map<String, String> states(RestCaller.Reply reply) {
    JsonArray checks = reply.json().getJsonArray("checks");
    return checks.stream()
        .map(JsonObject.class::cast)
        .collect(Collectors.toMap(c -> c.getString("name"), c -> c.getString("status")));
  }
}
