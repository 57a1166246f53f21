package io.moonpool.master.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.admin.AdminFixture;
import io.moonpool.master.admin.FakeMaster;
import io.moonpool.master.bus.example.PlacementService;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The requests on the public addresses, written as another service would: texts for addresses, JSON
 * for bodies.
 */
class BusVerticleTest {
  private static final String WRITER = "00000000-0000-0007-0000-000000000008";

  private BusFixture bus;
  private FakeMaster master;

  @BeforeEach
  void start() {
    bus = new BusFixture();
    master = bus.master;
  }

  @AfterEach
  void stop() {
    bus.close();
  }

  private static JsonObject start(String key, long size) {
    return new JsonObject().put("writer", WRITER).put("key", key).put("size", size);
  }

  @Test
  void putsReadsAndRemovesAnObject() {
    JsonObject request =
        start("kv/1", 100)
            .put(
                "config",
                new JsonObject()
                    .put("hard_pin", true)
                    .put("data_type", "kvcache")
                    .put("soft_pin_action", "enable")
                    .put("soft_pin_ttl_ms", 5)
                    .put("group_ids", List.of("g")));
    JsonObject started = bus.ask("moonpool.v1.objects.put-start", request);
    String version = started.getString("version");
    assertThat(started.getJsonArray("replicas").getJsonObject(0).getString("status"))
        .isEqualTo("processing");
    assertThat(bus.fail("moonpool.v1.objects.locate", "{\"key\":\"kv/1\"}").failureCode())
        .isEqualTo(-703);

    JsonObject checksum =
        new JsonObject()
            .put("kind", "crc32c")
            .put("value", "ffffffff")
            .put("blocks", List.of("fffffffe", "00000001"));
    JsonObject end =
        new JsonObject()
            .put("writer", WRITER)
            .put("key", "kv/1")
            .put("version", version)
            .put("checksum", checksum);
    assertThat(bus.ask("moonpool.v1.objects.end", end)).isEqualTo(new JsonObject());

    JsonObject located = bus.ask("moonpool.v1.objects.locate", "{\"key\":\"kv/1\"}");
    assertThat(located.getString("version")).isEqualTo(version);
    assertThat(located.getLong("size")).isEqualTo(100);
    assertThat(located.getLong("lease_ms")).isEqualTo(10_000);
    assertThat(located.getJsonObject("checksum").encode()).isEqualTo(checksum.encode());

    JsonObject described = bus.ask("moonpool.v1.objects.describe", "{\"key\":\"kv/1\"}");
    assertThat(described.getBoolean("hard_pinned")).isTrue();
    assertThat(described.getString("data_type")).isEqualTo("kvcache");
    assertThat(described.getString("group")).isEqualTo("g");
    assertThat(bus.ask("moonpool.v1.objects.exists", "{\"key\":\"kv/1\"}").getBoolean("exists"))
        .isTrue();

    master.lease("kv/1");
    assertThat(bus.fail("moonpool.v1.objects.remove", "{\"key\":\"kv/1\"}").getMessage())
        .startsWith("the object is under a read lease");
    bus.ask("moonpool.v1.objects.remove", "{\"key\":\"kv/1\",\"force\":true}");
    assertThat(master.has("", "kv/1")).isFalse();
  }

  @Test
  void namesErrorsByNumberAndSentence() {
    var missing = bus.fail("moonpool.v1.objects.describe", "{\"key\":\"none\"}");
    assertThat(missing.failureCode()).isEqualTo(-704);
    assertThat(missing.getMessage())
        .isEqualTo("no such object: check key and tenant, or put it first");
    master.with("there");
    assertThat(bus.fail("moonpool.v1.objects.put-start", start("there", 1)).failureCode())
        .isEqualTo(-705);
    assertThat(bus.fail("moonpool.v1.objects.put-start", start("big", 1L << 40)).failureCode())
        .isEqualTo(-200);
    assertThat(bus.fail("moonpool.v1.objects.put-start", start("zero", 0)).failureCode())
        .isEqualTo(-600);
    assertThat(bus.fail("moonpool.v1.objects.put-start", start("", 1)).failureCode())
        .isEqualTo(-400);
    assertThat(
            bus.fail("moonpool.v1.objects.put-start", start("k", 1).put("tenant", "blue"))
                .failureCode())
        .isEqualTo(-1701);
  }

  @Test
  void answersBatchesItemByItem() {
    master.with("b");
    JsonObject start =
        new JsonObject()
            .put("writer", WRITER)
            .put("keys", List.of("a", "b", "c"))
            .put("sizes", List.of(10, 10, 0));
    JsonArray started = bus.ask("moonpool.v1.objects.put-start", start).getJsonArray("results");
    assertThat(started.getJsonObject(0).containsKey("version")).isTrue();
    assertThat(started.getJsonObject(1))
        .isEqualTo(
            new JsonObject()
                .put("error", "OBJECT_ALREADY_EXISTS")
                .put("code", -705)
                .put(
                    "message",
                    "the object already exists: objects are immutable: use upsert, or remove it"
                        + " first"));
    assertThat(started.getJsonObject(2).getString("error")).isEqualTo("INVALID_PARAMS");

    String version = started.getJsonObject(0).getString("version");
    JsonObject end =
        new JsonObject()
            .put("writer", WRITER)
            .put("keys", List.of("a", "none"))
            .put("versions", List.of(version, "1"));
    JsonArray ended = bus.ask("moonpool.v1.objects.end", end).getJsonArray("results");
    assertThat(ended.getJsonObject(0)).isEqualTo(new JsonObject());
    assertThat(ended.getJsonObject(1).getInteger("code")).isEqualTo(-704);

    String both = "{\"keys\":[\"a\",\"none\"]}";
    JsonArray exists = bus.ask("moonpool.v1.objects.exists", both).getJsonArray("results");
    assertThat(exists.encode()).isEqualTo("[{\"exists\":true},{\"exists\":false}]");
    JsonArray located = bus.ask("moonpool.v1.objects.locate", both).getJsonArray("results");
    assertThat(located.getJsonObject(0).getString("version")).isEqualTo(version);
    assertThat(located.getJsonObject(1).getString("error")).isEqualTo("OBJECT_NOT_FOUND");

    JsonArray upserted = bus.ask("moonpool.v1.objects.upsert-start", start).getJsonArray("results");
    JsonObject revoke =
        new JsonObject()
            .put("writer", WRITER)
            .put("keys", List.of("a", "b"))
            .put("versions", List.of(upserted.getJsonObject(0).getString("version"), "1"));
    JsonArray revoked = bus.ask("moonpool.v1.objects.revoke", revoke).getJsonArray("results");
    assertThat(revoked.getJsonObject(0)).isEqualTo(new JsonObject());
    assertThat(revoked.getJsonObject(1).getString("error")).isEqualTo("INVALID_WRITE");
    assertThat(
            bus.ask("moonpool.v1.objects.remove", "{\"keys\":[\"b\",\"x\"]}")
                .getJsonArray("results")
                .encode())
        .startsWith("[{},{\"error\":\"OBJECT_NOT_FOUND\"");
  }

  @Test
  void listsAndRemovesBySelection() {
    for (int i = 0; i < 12; i++) {
      master.with("kv/" + i);
    }
    master.with("other");
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      JsonObject page =
          bus.ask(
              "moonpool.v1.objects.list",
              new JsonObject().put("prefix", "kv/").put("limit", 5).put("cursor", cursor));
      page.getJsonArray("objects").forEach(o -> keys.add(((JsonObject) o).getString("key")));
      cursor = page.getString("next_cursor");
    } while (!cursor.equals("0"));
    assertThat(keys).hasSize(12).doesNotHaveDuplicates();
    assertThat(bus.fail("moonpool.v1.objects.remove-matching", "{}").getMessage())
        .startsWith("say what to remove");
    assertThat(
            bus.ask("moonpool.v1.objects.remove-matching", "{\"prefix\":\"kv/\"}")
                .getLong("removed"))
        .isEqualTo(12);
  }

  @Test
  void tellsAboutSegmentsClientsAndThePool() {
    JsonObject segment =
        bus.ask("moonpool.v1.segments.list", (Object) null)
            .getJsonArray("segments")
            .getJsonObject(0);
    assertThat(segment.getString("name")).isEqualTo("node-1:a");
    assertThat(
            bus.ask("moonpool.v1.segments.list", "{\"generations\":[\"5\"]}")
                .getJsonArray("segments"))
        .isEmpty();
    assertThat(
            bus.ask("moonpool.v1.clients.list", "{}")
                .getJsonArray("clients")
                .getJsonObject(0)
                .getString("incarnation"))
        .isEqualTo(Long.toString(FakeMaster.INCARNATION));
    assertThat(bus.ask("moonpool.v1.cluster.summary", "{}").getString("cluster_id"))
        .isEqualTo("fake-cluster");
    JsonObject unmount = new JsonObject().put("segment_id", FakeMaster.SEGMENT.toString());
    assertThat(bus.ask("moonpool.v1.segments.unmount", unmount).getBoolean("complete")).isTrue();
    assertThat(bus.fail("moonpool.v1.segments.unmount", unmount).failureCode()).isEqualTo(-101);
  }

  @Test
  void namesTheFieldThatIsWrong() {
    String writer = "\"writer\":\"" + WRITER + "\",";
    Map<String, String> locate =
        Map.of(
            "{}", "give either key, a text, or keys",
            "{\"key\":\"a\",\"keys\":[\"b\"]}", "give either key",
            "{\"key\":7}", "field key must be a text",
            "{\"keys\":[]}", "a batch has 1 to 1000 keys, this one has 0",
            "{\"keys\":[1]}", "field keys must be a list of texts",
            "{\"key\":\"a\",\"tenent\":\"red\"}", "unknown field tenent: the fields are");
    locate.forEach(
        (body, message) ->
            assertThat(bus.fail("moonpool.v1.objects.locate", body).getMessage())
                .startsWith(message));
    Map<String, String> start =
        Map.of(
            "{\"key\":\"a\",\"size\":1}",
            "field writer is missing",
            "{\"writer\":\"me\",\"key\":\"a\",\"size\":1}",
            "field writer must be a UUID",
            "{" + writer + "\"key\":\"a\"}",
            "field size is missing",
            "{" + writer + "\"key\":\"a\",\"size\":-1}",
            "field size must be from 0",
            "{" + writer + "\"key\":\"a\",\"size\":1.5}",
            "field size must be a whole number",
            "{" + writer + "\"keys\":[\"a\",\"b\"],\"sizes\":[1]}",
            "sizes must have one entry",
            "{" + writer + "\"key\":\"a\",\"size\":1,\"config\":{\"data_type\":\"x\"}}",
            "field config.data_type must be one of activation, general",
            "{" + writer + "\"key\":\"a\",\"size\":1,\"config\":{\"pin\":true}}",
            "unknown field config.pin",
            "{" + writer + "\"key\":\"a\",\"size\":1,\"config\":7}",
            "field config must be an object");
    start.forEach(
        (body, message) ->
            assertThat(bus.fail("moonpool.v1.objects.put-start", body).getMessage())
                .startsWith(message));
    Map<String, String> end =
        Map.of(
            "{" + writer + "\"key\":\"a\",\"version\":7}", "field version must be a decimal number",
            "{" + writer + "\"key\":\"a\",\"version\":\"x\"}", "field version must be",
            "{" + writer + "\"key\":\"a\",\"version\":\"1\",\"checksum\":{\"kind\":\"crc32c\"}}",
                "field checksum.value is missing",
            "{"
                    + writer
                    + "\"key\":\"a\",\"version\":\"1\",\"checksum\":"
                    + "{\"kind\":\"crc32c\",\"value\":\"xyz\"}}",
                "field checksum.value and those of blocks must be hexadecimal");
    end.forEach(
        (body, message) ->
            assertThat(bus.fail("moonpool.v1.objects.end", body).getMessage()).startsWith(message));
    assertThat(bus.fail("moonpool.v1.objects.list", (Object) "text").getMessage())
        .isEqualTo("the body must be a JSON object");
    assertThat(bus.fail("moonpool.v1.objects.list", "{\"limit\":1001}").failureCode())
        .isEqualTo(-600);
  }

  @Test
  void showsNothingOfInternalFaults() {
    master.holdList().fail(new IllegalStateException("secret detail"));
    var failure = bus.fail("moonpool.v1.objects.list", "{}");
    assertThat(failure.failureCode()).isEqualTo(-1);
    assertThat(failure.getMessage()).startsWith("internal fault").doesNotContain("secret");
  }

  @Test
  void servesAnotherServiceOfTheProcess() {
    PlacementService service = new PlacementService();
    AdminFixture.await(bus.vertx.deployVerticle(service));
    master.with("kv/1");
    assertThat(AdminFixture.await(service.segmentsOf("kv/1"))).containsExactly("node-1:a");
    assertThat(AdminFixture.await(service.segmentsOf("none"))).isEmpty();
  }
}
