package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The routes under {@code /api/v1/objects}. */
class ObjectRoutesTest {
  private AdminFixture admin;
  private FakeMaster master;
  private RestCaller rest;

  @BeforeEach
  void start() {
    admin = new AdminFixture();
    master = admin.master;
    rest = admin.rest;
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void describesAnObject() {
    master.with("red", "kv/1", 77);
    JsonObject object = rest.get("/api/v1/objects/kv%2F1?tenant=red").json();
    assertThat(object.getString("key")).isEqualTo("kv/1");
    assertThat(object.getString("tenant")).isEqualTo("red");
    assertThat(object.getLong("size")).isEqualTo(77);
    assertThat(object.getString("version")).isEqualTo(Long.toString(1L << 53));
    assertThat(object.getJsonObject("checksum").getString("value")).isEqualTo("0000cafe");
    assertThat(object.getJsonArray("replicas").getJsonObject(0).getString("generation"))
        .isEqualTo(Long.toString(FakeMaster.GENERATION));
  }

  @Test
  void findsKeysOfAnyText() {
    for (String key :
        List.of(
            "a/b",
            "/",
            "..",
            ".",
            "a/../b",
            "%2F",
            "a b+c",
            "naïve ☃ 🌙",
            "?x=1&y#z",
            "\u0000\n")) {
      master.with(key);
      RestCaller.Reply reply =
          rest.get("/api/v1/objects/" + RestCaller.encode(key).replace(".", "%2E"));
      assertThat(reply.status()).as(key).isEqualTo(200);
      assertThat(reply.json().getString("key")).isEqualTo(key);
    }
  }

  @Test
  void findsTheLongestKey() {
    String key = "\u00e9".repeat(32_767) + "x";
    master.with(key);
    assertThat(rest.get("/api/v1/objects/" + RestCaller.encode(key)).json().getString("key"))
        .isEqualTo(key);
    RestCaller.Reply longer = rest.get("/api/v1/objects/" + RestCaller.encode(key + "y"));
    assertThat(longer.status()).isEqualTo(400);
    assertThat(longer.error()).isEqualTo("INVALID_KEY");
  }

  @Test
  void namesAMissingObject() {
    RestCaller.Reply reply = rest.get("/api/v1/objects/none");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.json())
        .isEqualTo(
            new JsonObject()
                .put("error", "OBJECT_NOT_FOUND")
                .put("code", -704)
                .put("message", "no such object: check key and tenant, or put it first"));
  }

  @Test
  void listsPageByPage() {
    for (int i = 0; i < 25; i++) {
      master.with("kv/" + i);
    }
    master.with("other");
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      JsonObject page = rest.get("/api/v1/objects?prefix=kv/&limit=10&cursor=" + cursor).json();
      page.getJsonArray("objects").forEach(o -> keys.add(((JsonObject) o).getString("key")));
      cursor = page.getString("next_cursor");
    } while (!cursor.equals("0"));
    assertThat(keys).hasSize(25).doesNotHaveDuplicates().allMatch(k -> k.startsWith("kv/"));
  }

  @Test
  void listsByPrefixLiterallyAndByPattern() {
    master.with("a.b").with("axb").with("xa.b");
    assertThat(keys("/api/v1/objects?prefix=a.")).containsExactly("a.b");
    assertThat(keys("/api/v1/objects?pattern=a.b")).containsExactly("a.b", "axb", "xa.b");
    assertThat(keys("/api/v1/objects?pattern=%5Ea.b")).containsExactly("a.b", "axb");
  }

  private List<String> keys(String path) {
    return rest.get(path).json().getJsonArray("objects").stream()
        .map(o -> ((JsonObject) o).getString("key"))
        .toList();
  }

  @Test
  void tellsWhetherAnObjectExists() {
    master.with("there");
    assertThat(rest.get("/api/v1/objects/there/exists").json().getBoolean("exists")).isTrue();
    assertThat(rest.get("/api/v1/objects/none/exists").json().getBoolean("exists")).isFalse();
  }

  @Test
  void describesTheSegmentsOfAnObject() {
    master.with("there");
    JsonObject segment =
        rest.get("/api/v1/objects/there").json().getJsonArray("segments").getJsonObject(0);
    assertThat(segment.getString("id")).isEqualTo(FakeMaster.SEGMENT.toString());
    assertThat(segment.getString("generation")).isEqualTo(Long.toString(FakeMaster.GENERATION));
  }

  @Test
  void removesAnObjectAndRespectsItsLease() {
    master.with("a").with("b");
    master.lease("a");
    RestCaller.Reply refused = rest.delete("/api/v1/objects/a");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.error()).isEqualTo("OBJECT_HAS_LEASE");
    assertThat(master.has("", "a")).isTrue();
    assertThat(rest.delete("/api/v1/objects/a?force=true").status()).isEqualTo(200);
    assertThat(master.has("", "a")).isFalse();
    assertThat(master.has("", "b")).isTrue();
    assertThat(rest.delete("/api/v1/objects/a").error()).isEqualTo("OBJECT_NOT_FOUND");
  }

  @Test
  void removesWhatMatches() {
    master.with("kv/1").with("kv/2").with("other").with("red", "kv/3", 5);
    assertThat(
            rest.post("/api/v1/object-removals", "{\"prefix\":\"kv/\"}").json().getLong("removed"))
        .isEqualTo(2);
    assertThat(master.has("", "other")).isTrue();
    assertThat(master.has("red", "kv/3")).isTrue();
    assertThat(
            rest.post("/api/v1/object-removals", "{\"tenant\":\"red\",\"pattern\":\"v/[0-9]$\"}")
                .json()
                .getLong("removed"))
        .isEqualTo(1);
    assertThat(rest.post("/api/v1/object-removals", "{\"all\":true}").json().getLong("removed"))
        .isEqualTo(1);
  }

  @Test
  void neverRemovesEverythingByAccident() {
    master.with("a");
    for (String body :
        List.of(
            "",
            "{}",
            "{\"force\":true}",
            "{\"all\":false}",
            "{\"prefix\":\"\"}",
            "{\"pattern\":\"\"}",
            "{\"all\":true,\"prefix\":\"a\"}",
            "{\"prefix\":\"a\",\"pattern\":\"a\"}",
            "{\"pattern\":null}",
            "{\"prefx\":\"b\",\"all\":true}")) {
      RestCaller.Reply reply = rest.post("/api/v1/object-removals", body);
      assertThat(reply.status()).as(body).isEqualTo(400);
      assertThat(reply.error()).isEqualTo("INVALID_PARAMS");
    }
    assertThat(master.has("", "a")).isTrue();
  }
}
