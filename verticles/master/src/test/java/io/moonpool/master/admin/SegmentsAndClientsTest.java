package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The routes under {@code /api/v1/segments}, {@code /api/v1/clients} and the summary. */
class SegmentsAndClientsTest {
  private static final String SEGMENT = "/api/v1/segments/" + FakeMaster.SEGMENT;

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
  void listsAndDescribesSegments() {
    JsonObject segment = rest.get(SEGMENT).json();
    assertThat(segment)
        .isEqualTo(
            new JsonObject()
                .put("id", FakeMaster.SEGMENT.toString())
                .put("name", "node-1:a")
                .put("kind", "memory")
                .put("generation", Long.toString(FakeMaster.GENERATION))
                .put("node_id", FakeMaster.NODE.toString())
                .put("host_id", "host-1")
                .put("status", "ok")
                .put("owner_state", "active")
                .put("size", 1 << 20)
                .put("used", 0)
                .put(
                    "endpoints",
                    List.of(new JsonObject().put("transport", "tcp").put("descriptor", "Af8"))));
    assertThat(rest.get("/api/v1/segments").json().getJsonArray("segments").getJsonObject(0))
        .isEqualTo(segment);
    assertThat(rest.get("/api/v1/segments/" + UUID.randomUUID()).error())
        .isEqualTo("SEGMENT_NOT_FOUND");
  }

  @Test
  void unmountsASegment() {
    RestCaller.Reply reply = rest.post(SEGMENT + "/unmount", "");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json()).isEqualTo(new JsonObject().put("complete", true));
    assertThat(rest.get(SEGMENT).status()).isEqualTo(404);
    assertThat(rest.post(SEGMENT + "/unmount", "").error()).isEqualTo("SEGMENT_NOT_FOUND");
  }

  @Test
  void saysThatALongUnmountGoesOn() {
    admin.master.holdUnmount();
    RestCaller.Reply reply = rest.post(SEGMENT + "/unmount", "{\"grace_ms\":60000}");
    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.json()).isEqualTo(new JsonObject().put("complete", false));
    assertThat(admin.master.lastUnmount().graceMillis()).isEqualTo(60_000);
  }

  @Test
  void passesOnWhyAnUnmountIsRefused() {
    admin
        .master
        .holdUnmount()
        .fail(new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "it is being unmounted"));
    RestCaller.Reply reply = rest.post(SEGMENT + "/unmount", "{}");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.message()).isEqualTo("it is being unmounted");
  }

  @Test
  void refusesGracePeriodsOutOfRange() {
    for (String grace : List.of("-1", "86400001", "\"1\"", "1.5", "99999999999999999999")) {
      RestCaller.Reply reply = rest.post(SEGMENT + "/unmount", "{\"grace_ms\":" + grace + "}");
      assertThat(reply.status()).as(grace).isEqualTo(400);
      assertThat(reply.message()).startsWith("field grace_ms must be");
    }
  }

  @Test
  void listsAndDescribesClients() {
    JsonObject client = rest.get("/api/v1/clients/" + FakeMaster.NODE).json();
    assertThat(client)
        .isEqualTo(
            new JsonObject()
                .put("node_id", FakeMaster.NODE.toString())
                .put("incarnation", Long.toString(FakeMaster.INCARNATION))
                .put("host_id", "host-1")
                .put("address", "127.0.0.1:9300")
                .put("state", "active")
                .put("silent_ms", 12)
                .put("segments", 1));
    assertThat(rest.get("/api/v1/clients").json().getJsonArray("clients").getJsonObject(0))
        .isEqualTo(client);
    assertThat(rest.get("/api/v1/clients/" + UUID.randomUUID()).error())
        .isEqualTo("CLIENT_NOT_FOUND");
  }

  @Test
  void sumsUpTheCluster() {
    assertThat(rest.get("/api/v1/cluster").json())
        .isEqualTo(
            new JsonObject()
                .put("cluster_id", "fake-cluster")
                .put("version", "0.0.0-fake")
                .put("master_epoch", Long.toString(1L << 55))
                .put("capacity", 1 << 20)
                .put("used", 2_002)
                .put("objects", 1_001)
                .put("segments", 1)
                .put("clients", 6));
  }
}
