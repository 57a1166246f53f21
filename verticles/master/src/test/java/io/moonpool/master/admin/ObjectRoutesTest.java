package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The routes under {@code /api/v1/objects}. */
class ObjectRoutesTest {
  private final FakeMaster master = new FakeMaster();
  private Vertx vertx;
  private RestCaller rest;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    AdminVerticle verticle = new AdminVerticle(AdminOptions.of(AdminAddress.loopback(0)), master);
    vertx
        .deployVerticle(verticle)
        .toCompletionStage()
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
    rest = new RestCaller(verticle.port());
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
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
}
