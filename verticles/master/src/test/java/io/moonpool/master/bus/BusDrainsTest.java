package io.moonpool.master.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.admin.FakeMaster;
import io.moonpool.master.drain.DrainRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drain jobs, copies and moves on the event bus, written as another service would. */
class BusDrainsTest {
  private BusFixture bus;

  @BeforeEach
  void start() {
    bus = new BusFixture();
  }

  @AfterEach
  void stop() {
    bus.close();
  }

  @Test
  void aJobIsMadeDescribedListedAndCanceled() {
    JsonObject job =
        bus.ask(
            "moonpool.v1.drains.create",
            "{\"node\":\"a\",\"target_segments\":[\"b-0\"],\"max_concurrency\":7,"
                + "\"max_bytes_per_second\":1000,\"deadline_ms\":2000,\"stall_timeout_ms\":3000}");
    assertThat(bus.drains.requests)
        .containsExactly(new DrainRequest("a", List.of(), List.of("b-0"), 7, 1_000, 2_000, 3_000));
    assertThat(job.getString("status")).isEqualTo("running");
    JsonObject named = new JsonObject().put("job_id", job.getString("job_id"));
    assertThat(bus.ask("moonpool.v1.drains.describe", named)).isEqualTo(job);
    assertThat(
            bus.ask("moonpool.v1.drains.list", (Object) null).getJsonArray("jobs").getJsonObject(0))
        .isEqualTo(job);
    assertThat(bus.fail("moonpool.v1.drains.undrain", "{\"node\":\"a\"}").failureCode())
        .isEqualTo(-1010);
    assertThat(bus.ask("moonpool.v1.drains.cancel", named).getString("status"))
        .isEqualTo("canceled");
    assertThat(
            bus.ask("moonpool.v1.drains.undrain", "{\"node\":\"a\"}")
                .getJsonArray("segments")
                .getJsonObject(0)
                .getString("id"))
        .isEqualTo(FakeMaster.SEGMENT.toString());
    assertThat(bus.ask("moonpool.v1.drains.plan", "{\"node\":\"a\"}").getLong("bytes"))
        .isEqualTo(2);
  }

  @Test
  void objectsAreMovedAndCopied() {
    JsonObject move =
        bus.ask("moonpool.v1.tasks.move", "{\"key\":\"k\",\"source\":\"a-0\",\"target\":\"b-0\"}");
    JsonObject copy =
        bus.ask("moonpool.v1.tasks.copy", "{\"key\":\"failed\",\"targets\":[\"b-0\"]}");
    assertThat(move.getString("type")).isEqualTo("replica_move");
    assertThat(copy.getString("error")).isEqualTo("TRANSFER_FAIL");
    assertThat(
            bus.ask(
                "moonpool.v1.tasks.describe",
                new JsonObject().put("task_id", move.getString("task_id"))))
        .isEqualTo(move);
    assertThat(bus.ask("moonpool.v1.tasks.list", "{}").getJsonArray("tasks"))
        .containsExactly(move, copy);
    assertThat(bus.ask("moonpool.v1.tasks.list", "{\"status\":\"failed\"}").getJsonArray("tasks"))
        .containsExactly(copy);
  }

  @Test
  void failuresHaveTheNumbersOfTheTable() {
    String nobody = "{\"job_id\":\"" + new UUID(1, 1) + "\"}";
    assertThat(bus.fail("moonpool.v1.drains.describe", nobody).failureCode()).isEqualTo(-1402);
    assertThat(bus.fail("moonpool.v1.drains.create", "{}").getMessage())
        .isEqualTo("say what to drain: either a node or segments");
    assertThat(bus.fail("moonpool.v1.drains.create", "{\"node\":\"x\"}").failureCode())
        .isEqualTo(-103);
    assertThat(bus.fail("moonpool.v1.drains.create", "{\"nodes\":\"a\"}").getMessage())
        .contains("either a node or segments");
    assertThat(bus.fail("moonpool.v1.drains.list", "{\"limit\":1}").getMessage())
        .contains("unknown field limit");
    assertThat(bus.fail("moonpool.v1.tasks.list", "{\"status\":\"done\"}").getMessage())
        .contains("must be one of failed, pending, processing, success");
    assertThat(bus.fail("moonpool.v1.tasks.move", "{\"key\":\"k\"}").getMessage())
        .contains("field source is missing");
  }
}
