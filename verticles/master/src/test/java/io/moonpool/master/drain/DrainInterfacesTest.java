package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.TestMaster;
import io.moonpool.master.WholeMaster;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A drain as scripts and other services see it: over REST, as events, in metrics. */
class DrainInterfacesTest {
  private WholeMaster master;
  private TestNode node;

  @BeforeEach
  void start() {
    master = WholeMaster.start(MasterConfig.builder().leaseTtlMillis(300));
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.stop();
    }
    master.close();
  }

  @Test
  void aDrainFromItsPlanToItsUndrain() {
    TestMaster.Node first = master.test().node(1, 1 << 20);
    master.test().put(1_000, IntStream.range(0, 20).mapToObj(i -> "k" + i).toArray(String[]::new));
    TestMaster.Node second = master.test().node(2, 1 << 20);
    List<String> onTheBus = new CopyOnWriteArrayList<>();
    master
        .test()
        .master()
        .vertx()
        .eventBus()
        .<JsonObject>consumer(
            "moonpool.v1.drain.events",
            message ->
                onTheBus.add(
                    message.body().getString("event")
                        + " "
                        + message.body().getJsonObject("job").getString("status")));
    String body = new JsonObject().put("node", first.id().toString()).encode();

    JsonObject plan =
        master.rest().post("/api/v1/drain_jobs", body.replace("}", ",\"plan\":true}")).json();
    assertThat(plan.getLong("units")).isEqualTo(20);
    assertThat(plan.getLong("bytes")).isEqualTo(20_000);
    assertThat(plan.getJsonArray("targets").getJsonObject(0).getString("name"))
        .isEqualTo(second.segments().getFirst().name());

    node = new TestNode(master.test(), first).start();
    String job = master.rest().post("/api/v1/drain_jobs", body).json().getString("job_id");
    String events = master.rest().get("/api/v1/drain_jobs/" + job + "/events").response().body();
    assertThat(events).contains("event: succeeded");
    JsonObject last = new JsonObject(events.substring(events.lastIndexOf("data: ") + 6).strip());
    assertThat(last.getString("status")).isEqualTo("succeeded");
    assertThat(last.getLong("succeeded_units")).isEqualTo(20);
    assertThat(last.getLong("migrated_bytes")).isEqualTo(20_000);
    assertThat(master.rest().get("/api/v1/drain_jobs/" + job).json().getString("status"))
        .isEqualTo("succeeded");
    await().until(() -> onTheBus.contains("succeeded succeeded"));
    assertThat(onTheBus).startsWith("created created", "planning planning", "running running");

    assertThat(
            master
                .rest()
                .get("/api/v1/tasks?status=success&job_id=" + job)
                .json()
                .getJsonArray("tasks"))
        .hasSize(20);
    String source = "/api/v1/segments/" + first.segments().getFirst().id();
    assertThat(master.rest().get(source).json().getString("status")).isEqualTo("drained");
    assertThat(master.rest().get("/metrics").response().body())
        .contains("moonpool_drain_jobs_ended_total{status=\"succeeded\"} 1.0\n")
        .contains("moonpool_drain_units_total{end=\"succeeded\"} 20.0\n")
        .contains("moonpool_drain_migrated_bytes_total 20000.0\n")
        .contains("moonpool_tasks_ended_total{status=\"success\"} 20.0\n")
        .contains("moonpool_drain_jobs_live 0.0\n");

    assertThat(master.rest().post("/api/v1/undrain", body).json().getJsonArray("segments"))
        .hasSize(1);
    assertThat(master.rest().get(source).json().getString("status")).isEqualTo("ok");
  }
}
