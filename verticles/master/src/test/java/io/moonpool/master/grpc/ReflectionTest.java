package io.moonpool.master.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tools that know nothing but the port can use the services. */
class ReflectionTest {
  private GrpcFixture grpc;
  private ReflectionCaller caller;

  @BeforeEach
  void start() {
    grpc = new GrpcFixture();
    caller = new ReflectionCaller(grpc);
  }

  @AfterEach
  void stop() {
    grpc.close();
  }

  @Test
  void listsTheServices() {
    assertThat(caller.services())
        .containsExactlyInAnyOrder(
            "moonpool.v1.Objects",
            "moonpool.v1.Segments",
            "moonpool.v1.Clients",
            "moonpool.v1.Cluster",
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection");
  }

  @Test
  void callsMethodsWithJson() {
    grpc.master.with("kv/1");
    JsonObject object =
        new JsonObject(caller.call("moonpool.v1.Objects", "Describe", "{\"key\": \"kv/1\"}"));
    assertThat(object.getString("key")).isEqualTo("kv/1");
    assertThat(object.getString("size")).isEqualTo("10");
    assertThat(object.getJsonObject("checksum").getString("kind"))
        .isEqualTo("CHECKSUM_KIND_CRC32C");
    assertThat(
            new JsonObject(caller.call("moonpool.v1.Cluster", "Summary", "{}"))
                .getString("clusterId"))
        .isEqualTo("fake-cluster");
    assertThat(caller.call("moonpool.v1.Objects", "Locate", "{\"key\": \"none\"}"))
        .isEqualTo("5 OBJECT_NOT_FOUND: no such object: check key and tenant, or put it first");
    assertThat(caller.call("grpc.health.v1.Health", "Check", "{}")).contains("SERVING");
  }
}
