package io.moonpool.app.command.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.drain.MasterRest;
import io.moonpool.app.shell.Terminal;
import io.moonpool.app.shell.Tone;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code client top} shows of what a master tells. */
class PoolPageTest {
  private final PoolWatch pool = new PoolWatch();

  private void told(String name, String json) {
    pool.heard(new MasterRest.Event(name, new JsonObject(json)));
  }

  private void toldAll() {
    told(
        "hello",
        """
        {"cluster_id": "demo", "version": "1.2", "master_epoch": "7", "events": [],
         "figures": {"interval_ms": 2000, "samples": [{"objects": 1}, {"objects": 1234,
           "gets_per_second": 1500.25, "hit_ratio": 0.975, "get_p99_us": 81.2,
           "puts_per_second": 3, "put_failures_per_second": 0.5, "evictions_per_second": 2,
           "pings_per_second": 2}]}}
        """);
    told("jobs", "{\"jobs\": []}");
    told(
        "clients",
        """
        {"clients": [
          {"node_id": "2", "host_id": "h2", "address": "10.0.0.2:9300", "state": "suspected",
           "silent_ms": 12345},
          {"node_id": "1", "host_id": "h1", "address": "10.0.0.1:9300", "state": "active",
           "silent_ms": 300}]}
        """);
    told(
        "segments",
        """
        {"segments": [
          {"name": "a-disk", "node_id": "1", "kind": "local_disk", "status": "ok",
           "used": 3000000, "size": 10000000},
          {"name": "a-0", "node_id": "1", "kind": "memory", "status": "draining",
           "used": 250000, "size": 1000000},
          {"name": "b-0", "node_id": "2", "kind": "memory", "status": "ok",
           "used": 750000, "size": 1000000}]}
        """);
  }

  private static JsonObject job(String id, String status, long moved, long left) {
    return new JsonObject()
        .put("job_id", id)
        .put("status", status)
        .put("message", "why " + id + " is so")
        .put("request", new JsonObject().put("node", id))
        .put("succeeded_units", moved)
        .put("remaining_units", left);
  }

  private List<String> texts() {
    return PoolPage.of(pool, "12:00:01", "").stream().map(PoolPage.Line::text).toList();
  }

  @Test
  void figuresNodesAndSegmentsAreOnOnePage() {
    assertThat(pool.isComplete()).isFalse();
    toldAll();
    assertThat(pool.isComplete()).isTrue();
    assertThat(texts())
        .containsExactly(
            "cluster demo   version 1.2   12:00:01",
            "objects  1,234   memory  1.0 of 2.0 MB (50 %)   disk  3.0 of 10.0 MB (30 %)",
            "gets  1,500.3/s   hits  97.5 %   p99  81 us      puts  3.0/s   refused  0.5/s   p99  -",
            "evictions  2.0/s   pings  2.0/s",
            "",
            "NODE, SEGMENTS                            STATE             USED MB      SIZE MB     %",
            "10.0.0.1:9300                h1           active       heard 0.3 s ago",
            "  a-0                        memory       draining              0.3          1.0  25.0",
            "  a-disk                     local_disk   ok                    3.0         10.0  30.0",
            "10.0.0.2:9300                h2           suspected    heard 12.3 s ago",
            "  b-0                        memory       ok                    0.8          1.0  75.0");
    assertThat(PoolPage.of(pool, "12:00:01", "").stream().map(PoolPage.Line::tone).skip(6))
        .containsExactly(Tone.GOOD, Tone.WARNING, Tone.PLAIN, Tone.WARNING, Tone.PLAIN);
  }

  @Test
  void newFiguresTakeThePlaceOfOldOnes() {
    toldAll();
    told("figures", "{\"objects\": 5, \"offline_held\": true}");
    assertThat(texts()).anyMatch(line -> line.startsWith("objects  5 "));
    assertThat(texts()).anyMatch(line -> line.contains("offline-breaker"));
  }

  @Test
  void drainsThatRunAreShownAndTheLastThatHasEnded() {
    toldAll();
    JsonArray jobs =
        new JsonArray()
            .add(job("third", "running", 1, 3))
            .add(job("second", "succeeded", 4, 0))
            .add(job("first", "succeeded", 9, 0));
    told("jobs", new JsonObject().put("jobs", jobs).encode());
    assertThat(texts()).anyMatch(line -> line.contains("third [######---")).contains("DRAINS");
    assertThat(texts()).anyMatch(line -> line.contains("second"));
    assertThat(texts()).noneMatch(line -> line.contains("first"));
    told("drain", new JsonObject().put("job", job("third", "failed", 2, 2)).encode());
    assertThat(pool.drains()).hasSize(1);
    List<PoolPage.Line> last = PoolPage.of(pool, "", "");
    assertThat(last.subList(last.size() - 3, last.size()))
        .allSatisfy(line -> assertThat(line.tone()).isEqualTo(Tone.BAD));
    assertThat(last.get(last.size() - 3).text()).contains("third").endsWith("failed");
    assertThat(last.get(last.size() - 2).text()).isEqualTo("    why third is so");
    assertThat(last.getLast().text()).isEqualTo("    2 objects are left");
    assertThat(pool.toJson(5).getJsonArray("drains")).hasSize(1);
  }

  @Test
  void aPoolWithoutNodesSaysWhatToDo() {
    told("hello", "{\"cluster_id\": \"demo\", \"figures\": {\"samples\": []}}");
    assertThat(texts()).last().asString().contains("moonpool node");
  }

  @Test
  void whatDoesNotFitIsCutAndCounted() {
    toldAll();
    String screen =
        TopCommand.screen(PoolPage.of(pool, "t", "trouble"), new Terminal.Size(6, 30), false);
    List<String> rows = screen.replace("\033[H", "").replace("\033[K", "").lines().toList();
    assertThat(rows)
        .containsExactly(
            "cluster demo   version 1.2   t",
            "trouble",
            "objects  1,234   memory  1.0 o",
            "gets  1,500.3/s   hits  97.5 %",
            "8 more lines: --once prints all",
            "\033[J");
  }
}
