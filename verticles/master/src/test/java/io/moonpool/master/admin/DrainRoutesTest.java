package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainEvent;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.MoveRequest;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drains and tasks over HTTP. */
class DrainRoutesTest {
  private static final String NOBODY = "/00000000-0000-0000-0000-000000000000";

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

  private String create() {
    return rest.post("/api/v1/drain_jobs", "{\"node\":\"a\"}").json().getString("job_id");
  }

  @Test
  void aRequestIsReadWithAllItsFields() {
    RestCaller.Reply reply =
        rest.post(
            "/api/v1/drain_jobs",
            """
            {"segments": ["a-0", "a-1"], "target_segments": ["b"], "max_concurrency": 7,
             "max_bytes_per_second": 8, "deadline_ms": 9, "stall_timeout_ms": 10}""");
    assertThat(reply.status()).isEqualTo(201);
    assertThat(admin.drains.requests)
        .containsExactly(new DrainRequest("", List.of("a-0", "a-1"), List.of("b"), 7, 8, 9, 10));
    JsonObject job = reply.json();
    assertThat(job.getString("status")).isEqualTo("running");
    assertThat(job.getLong("succeeded_units")).isEqualTo(11);
    assertThat(job.getLong("dropped_units")).isEqualTo(12);
    assertThat(job.getLong("gone_units")).isEqualTo(13);
    assertThat(job.getLong("failed_units")).isEqualTo(14);
    assertThat(job.getLong("failed_attempts")).isEqualTo(15);
    assertThat(job.getLong("lost_units")).isEqualTo(16);
    assertThat(job.getLong("active_units")).isEqualTo(4);
    assertThat(job.getLong("blocked_units")).isEqualTo(17);
    assertThat(job.getLong("rehoming_units")).isEqualTo(7);
    assertThat(job.getLong("remaining_units")).isEqualTo(18);
    assertThat(job.getLong("migrated_bytes")).isEqualTo(19_000);
    assertThat(job.getDouble("bytes_per_second")).isEqualTo(5.7);
    assertThat(job.containsKey("remaining_ms")).isFalse();
    assertThat(job.getJsonArray("segments").getJsonObject(0).getString("name")).isEqualTo("a-0");
    assertThat(job.getJsonArray("blocked").getJsonObject(0).getString("reason"))
        .isEqualTo("no_space");
    // What programs for Mooncake's master look for is in this answer only.
    assertThat(job.remove("success")).isEqualTo(true);
    assertThat(job.remove("error_code")).isEqualTo(0);
    assertThat(job.remove("error_message")).isEqualTo("");
    assertThat(rest.get("/api/v1/drain_jobs/" + job.getString("job_id")).json()).isEqualTo(job);
    assertThat(rest.get("/api/v1/drain_jobs").json().getJsonArray("jobs").getJsonObject(0))
        .isEqualTo(job);
  }

  @Test
  void aPlanIsNoJob() {
    RestCaller.Reply reply = rest.post("/api/v1/drain_jobs", "{\"node\":\"a\",\"plan\":true}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().getLong("units")).isEqualTo(1);
    assertThat(reply.json().getJsonArray("targets").getJsonObject(0).getLong("expected_bytes"))
        .isEqualTo(6);
    assertThat(rest.get("/api/v1/drain_jobs").json().getJsonArray("jobs")).isEmpty();
    assertThat(admin.drains.requests).containsExactly(DrainRequest.ofNode("a"));
  }

  @Test
  void wrongJobsAreRefused() {
    assertThat(rest.post("/api/v1/drain_jobs", "{}").message()).contains("node or segments");
    assertThat(rest.post("/api/v1/drain_jobs", "{\"nod\":\"a\"}").status()).isEqualTo(400);
    assertThat(rest.post("/api/v1/drain_jobs", "{\"node\":\"a\",\"max_concurrency\":0}").message())
        .contains("max_concurrency");
    assertThat(rest.post("/api/v1/drain_jobs", "{\"node\":\"x\"}").error())
        .isEqualTo("CLIENT_NOT_FOUND");
    assertThat(rest.post("/api/v1/drain_jobs", "{\"segments\":[\"x\"]}").status()).isEqualTo(404);
    create();
    assertThat(rest.post("/api/v1/drain_jobs", "{\"node\":\"a\"}").status()).isEqualTo(503);
    assertThat(rest.get("/api/v1/drain_jobs" + NOBODY).error()).isEqualTo("JOB_NOT_FOUND");
    assertThat(rest.get("/api/v1/drain_jobs/x").status()).isEqualTo(400);
  }

  @Test
  void aJobIsCanceledOnce() {
    String id = create();
    assertThat(rest.post("/api/v1/drain_jobs/" + id + "/cancel", "").json().getString("status"))
        .isEqualTo("canceled");
    assertThat(rest.post("/api/v1/drain_jobs/" + id + "/cancel", "").status()).isEqualTo(503);
    assertThat(rest.post("/api/v1/drain_jobs" + NOBODY + "/cancel", "").status()).isEqualTo(404);
    assertThat(rest.post("/api/v1/undrain", "{\"node\":\"a\"}").json().getJsonArray("segments"))
        .hasSize(1);
  }

  @Test
  void tasksAreMadeAndFound() {
    RestCaller.Reply move =
        rest.post(
            "/api/v1/tasks",
            "{\"tenant\":\"red\",\"key\":\"k\",\"source\":\"a-0\",\"target\":\"b\"}");
    assertThat(move.status()).isEqualTo(201);
    RestCaller.Reply copy =
        rest.post(
            "/api/v1/tasks",
            "{\"type\":\"replica_copy\",\"key\":\"failed\",\"targets\":[\"b\",\"c\"]}");
    assertThat(copy.json().getString("error")).isEqualTo("TRANSFER_FAIL");
    assertThat(admin.drains.requests)
        .containsExactly(
            new MoveRequest("red", "k", "a-0", "b"),
            new CopyRequest("", "failed", List.of("b", "c")));
    assertThat(rest.get("/api/v1/tasks/" + move.json().getString("task_id")).json())
        .isEqualTo(move.json());
    assertThat(rest.get("/api/v1/tasks?limit=1").json().getJsonArray("tasks")).hasSize(1);
    assertThat(
            rest.get("/api/v1/tasks?status=failed&job_id=" + copy.json().getString("job_id"))
                .json()
                .getJsonArray("tasks"))
        .containsExactly(copy.json());
    assertThat(rest.get("/api/v1/tasks?status=odd").message()).contains("pending");
    assertThat(rest.get("/api/v1/tasks?job_id=odd").message()).contains("job_id");
    assertThat(rest.get("/api/v1/tasks" + NOBODY).error()).isEqualTo("TASK_NOT_FOUND");
    assertThat(rest.post("/api/v1/tasks", "{\"key\":\"k\",\"source\":\"a\"}").message())
        .contains("field target is missing");
    assertThat(rest.post("/api/v1/tasks", "{\"type\":\"steal\",\"key\":\"k\"}").message())
        .contains("replica_copy, replica_move");
  }

  @Test
  void eventsComeUntilTheJobHasEnded() throws Exception {
    String id = create();
    List<String> lines = new ArrayList<>();
    try (Socket socket = new Socket("127.0.0.1", admin.port)) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/drain_jobs/"
                      + id
                      + "/events HTTP/1.1\r\nHost: x\r\n"
                      + "Connection: close\r\n\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
        if (line.equals("event: running")) {
          admin.drains.tell(
              new DrainEvent("progress", admin.drains.job(UUID.fromString(id)).result()));
        } else if (line.equals("event: progress")) {
          rest.post("/api/v1/drain_jobs/" + id + "/cancel", "");
        }
      }
    }
    assertThat(lines).contains("HTTP/1.1 200 OK", "Content-Type: text/event-stream");
    assertThat(lines.stream().filter(line -> line.startsWith("event: ")))
        .containsExactly("event: running", "event: progress", "event: canceled");
    List<String> data =
        lines.stream().filter(l -> l.startsWith("data: ")).map(l -> l.substring(6)).toList();
    assertThat(new JsonObject(data.getLast()))
        .isEqualTo(rest.get("/api/v1/drain_jobs/" + id).json());
    await().until(() -> admin.drains.listeners() == 0);
  }

  @Test
  void aListenerThatGoesIsForgotten() throws Exception {
    String id = create();
    try (Socket socket = new Socket("127.0.0.1", admin.port)) {
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/drain_jobs/" + id + "/events HTTP/1.1\r\nHost: x\r\n\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      await().until(() -> admin.drains.listeners() == 1);
    }
    await().until(() -> admin.drains.listeners() == 0);
  }

  @Test
  void eventsOfNoJobAreAnErrorAndHeadIsOnlyHeaders() {
    RestCaller.Reply none = rest.get("/api/v1/drain_jobs" + NOBODY + "/events");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.error()).isEqualTo("JOB_NOT_FOUND");
    RestCaller.Reply head = rest.call("HEAD", "/api/v1/drain_jobs/" + create() + "/events");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
    await().until(() -> admin.drains.listeners() == 0);
  }
}
