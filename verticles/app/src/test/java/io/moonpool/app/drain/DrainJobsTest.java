package io.moonpool.app.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.shell.Durations;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Following a drain over REST, and telling people of it. */
class DrainJobsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger streams = new AtomicInteger();
  private final AtomicInteger quietLooks = new AtomicInteger();
  private HttpServer server;
  private MasterRest rest;

  private static JsonObject job(String status, long succeeded, long remaining) {
    return new JsonObject()
        .put("job_id", "j")
        .put("status", status)
        .put("message", "objects move away")
        .put("succeeded_units", succeeded)
        .put("dropped_units", 0)
        .put("gone_units", 0)
        .put("active_units", 1)
        .put("blocked_units", 0)
        .put("remaining_units", remaining)
        .put("migrated_bytes", succeeded * 1_000_000)
        .put("bytes_per_second", 2_500_000.0)
        .put("remaining_ms", 90_001)
        .put("created_at_ms", 1_000)
        .put("updated_at_ms", 3_000);
  }

  @BeforeEach
  void start() {
    server =
        Await.result(
            vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"), LIMIT);
    rest = MasterRest.open("127.0.0.1:" + server.actualPort(), "", "secret");
  }

  /**
   * A master whose first stream breaks off in the middle of a job, and whose second tells its end.
   */
  private void answer(HttpServerRequest request) {
    if (!"Bearer secret".equals(request.getHeader("Authorization"))) {
      request.response().setStatusCode(401).end("{}");
    } else if (request.path().endsWith("/j/events")) {
      request.response().setChunked(true);
      if (streams.incrementAndGet() == 1) {
        request.response().write("event: running\ndata: " + job("running", 1, 3) + "\n\n:\n\n");
        request.response().write("event: prog").onComplete(sent -> request.connection().close());
      } else {
        request.response().write("event: succeeded\nda");
        request.response().end("ta: " + job("succeeded", 4, 0) + "\n\n");
      }
    } else if (request.path().endsWith("/quiet/events")) {
      request.response().setChunked(true).write(":\n\n");
    } else if (request.path().endsWith("/quiet")) {
      request.response().end(job("running", quietLooks.getAndAdd(3), 4).toBuffer());
    } else if (request.path().endsWith("/j")) {
      request.response().end(job("running", 0, 4).toBuffer());
    } else {
      request
          .response()
          .setStatusCode(404)
          .end("{\"error\":\"JOB_NOT_FOUND\",\"code\":-1402,\"message\":\"no such job\"}");
    }
  }

  @AfterEach
  void stop() {
    rest.close();
    Await.result(vertx.close(), LIMIT);
  }

  @Test
  void aJobIsFollowedToItsEndThoughItsMasterGoesAwayMeanwhile() throws Exception {
    List<Long> told = new ArrayList<>();
    JsonObject last =
        new DrainJobs(rest).follow("j", LIMIT, job -> told.add(job.getLong("succeeded_units")));
    assertThat(last.getString("status")).isEqualTo("succeeded");
    assertThat(told.stream().distinct()).containsExactly(0L, 1L, 4L);
    assertThat(streams).hasValue(2);
  }

  @Test
  void whoHasNoTimeIsToldHowTheJobIs() throws Exception {
    JsonObject last = new DrainJobs(rest).follow("j", Duration.ZERO, job -> {});
    assertThat(DrainJobs.hasEnded(last)).isFalse();
  }

  @Test
  void refusalsHaveTheirNamesAndSilenceIsTold() {
    assertThatThrownBy(() -> new DrainJobs(rest).job("none"))
        .isInstanceOfSatisfying(
            StoreException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.JOB_NOT_FOUND));
    int port = server.actualPort();
    Await.result(server.close(), LIMIT);
    assertThatThrownBy(() -> new DrainJobs(rest).jobs())
        .isInstanceOfSatisfying(
            StoreException.class,
            silent -> {
              assertThat(silent.code()).isEqualTo(ErrorCode.RPC_FAIL);
              assertThat(silent.sentence()).contains("127.0.0.1:" + port);
            });
    assertThatThrownBy(() -> MasterRest.open("nowhere", "", ""))
        .hasMessage("must be HOST:PORT, not 'nowhere'");
  }

  @Test
  void progressIsOneLineWithRateAndTimeLeft() {
    StringWriter text = new StringWriter();
    DrainProgress lines = new DrainProgress(new PrintWriter(text), false, "node-1");
    lines.show(job("running", 1, 3), 1);
    lines.show(job("running", 2, 2), 2);
    lines.show(job("succeeded", 4, 0), 3);
    lines.show(job("succeeded", 4, 0), 4);
    lines.done();
    assertThat(text.toString().lines())
        .containsExactly(
            "  node-1 [######------------------]  25 %  1 of 4 objects  1.0 MB  2.5 MB/s  91 s left",
            "  node-1 [########################] 100 %  4 of 4 objects  4.0 MB  succeeded");
    assertThat(DrainProgress.summary(job("succeeded", 4, 0)))
        .isEqualTo("4 objects moved, 4.0 MB in 2.0 s (2.0 MB/s)");
  }

  @Test
  void withoutATerminalEachChangeIsToldButNotTooOften() {
    StringWriter text = new StringWriter();
    DrainProgress lines = new DrainProgress(new PrintWriter(text), false, "node-1");
    long second = 1_000_000_000;
    lines.show(job("running", 0, 4), 0);
    lines.show(job("running", 1, 3), second);
    lines.show(job("running", 2, 2), 2 * second);
    // Nothing happens any more, and it is told again: the last change is not lost.
    lines.show(job("running", 2, 2), 3 * second);
    lines.show(job("running", 2, 2), 60 * second);
    JsonObject waits = job("running", 2, 2).put("active_units", 0).put("blocked_units", 2);
    lines.show(waits.put("message", "waits: 2 objects wait for room on a target"), 61 * second);
    assertThat(text.toString().lines().map(line -> line.substring(line.indexOf(']') + 2).strip()))
        .containsExactly(
            "0 %  0 of 4 objects  0.0 MB  2.5 MB/s  91 s left",
            "50 %  2 of 4 objects  2.0 MB  2.5 MB/s  91 s left",
            "50 %  2 of 4 objects  2.0 MB  2.5 MB/s  91 s left"
                + "  waits: 2 objects wait for room on a target");
  }

  @Test
  void whoseTimeIsOverIsToldHowTheJobIsThenAndNotHowItWas() throws Exception {
    // The stream says nothing; the job itself has gone on.
    JsonObject last = new DrainJobs(rest).follow("quiet", Duration.ofMillis(50), told -> {});
    assertThat(last.getLong("succeeded_units")).isEqualTo(3);
  }

  @Test
  void oneObjectIsOne() {
    JsonObject one = job("succeeded", 1, 0).put("dropped_units", 1).put("gone_units", 1);
    assertThat(DrainProgress.summary(one))
        .startsWith("1 object moved,")
        .contains("; 1 was given up here, since all others have it")
        .contains("; 1 was removed or overwritten meanwhile");
    assertThat(DrainProgress.line("n", job("running", 0, 1))).contains("0 of 1 object ");
  }

  @Test
  void whatIsLeftIsToldInASentence() {
    assertThat(DrainProgress.left(job("succeeded", 4, 0))).isEmpty();
    assertThat(DrainProgress.left(job("failed", 1, 1))).isEqualTo("1 object is left");
    assertThat(DrainProgress.left(job("failed", 1, 5).put("failed_units", 2)))
        .isEqualTo("5 objects are left: 2 failed in all tries, 3 had not moved yet");
    assertThat(DrainProgress.left(job("failed", 1, 1200).put("lost_units", 1200)))
        .isEqualTo("1,200 objects were still there when the node went away");
    assertThat(DrainProgress.left(job("failed", 1, 3).put("lost_units", 1)))
        .isEqualTo("2 objects are left; 1 object was still there when the node went away");
  }

  @Test
  void onATerminalTheLineIsDrawnOver() {
    StringWriter text = new StringWriter();
    DrainProgress bar = new DrainProgress(new PrintWriter(text), true, "node-1");
    bar.show(job("running", 1, 3), 1);
    bar.show(job("succeeded", 4, 0), 2);
    bar.done();
    String[] drawn = text.toString().split("\r", -1);
    assertThat(drawn).hasSize(3);
    assertThat(drawn[2].stripTrailing()).endsWith("succeeded");
    assertThat(drawn[2].stripTrailing().length()).isLessThan(drawn[1].length());
    assertThat(text.toString()).endsWith(System.lineSeparator());
  }

  @Test
  void timesAreReadAsPeopleWriteThem() {
    assertThat(Durations.parseMillis("500ms")).isEqualTo(500);
    assertThat(Durations.parseMillis("90 s")).isEqualTo(90_000);
    assertThat(Durations.parseMillis("10m")).isEqualTo(600_000);
    assertThat(Durations.parseMillis("2H")).isEqualTo(7_200_000);
    assertThatThrownBy(() -> Durations.parseMillis("5")).hasMessageContaining("ms, s, m or h");
  }
}
