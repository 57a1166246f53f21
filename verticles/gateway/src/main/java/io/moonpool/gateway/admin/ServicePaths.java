package io.moonpool.gateway.admin;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.protocol.call.DescribeSegments;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** What Mooncake's master tells of itself. There is one master here, and it always leads. */
final class ServicePaths {
  private static final String ROLE = "leader";
  private static final String STATE = "serving";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final long[] ALL = {};

  private final MasterOperations operations;
  private final MasterStats stats;

  ServicePaths(MasterOperations operations, MasterStats stats) {
    this.operations = operations;
    this.stats = stats;
  }

  List<Route> routes() {
    return List.of(
        MooncakeRoute.get("/health", request -> answer(MooncakeAnswers.json(health()))).opened(),
        MooncakeRoute.get("/role", request -> answer(MooncakeAnswers.text(ROLE))),
        MooncakeRoute.get("/ha_status", request -> answer(MooncakeAnswers.text(STATE))),
        MooncakeRoute.get(
            "/leader",
            request -> answer(MooncakeAnswers.json(new JsonObject().put("present", false)))),
        MooncakeRoute.get("/kv_events/status", request -> answer(MooncakeAnswers.json(noEvents()))),
        MooncakeRoute.get("/metrics/summary", request -> summary()));
  }

  private static Future<Answer> answer(Answer answer) {
    return Future.succeededFuture(answer);
  }

  private static JsonObject health() {
    return new JsonObject()
        .put("status", "ok")
        .put("role", ROLE)
        .put("ha_state", STATE)
        .put("service_ready", true);
  }

  private static JsonObject noEvents() {
    return new JsonObject()
        .put("enabled", false)
        .put("published_batches", 0)
        .put("published_events", 0)
        .put("dropped_events", 0)
        .put("skipped_unparsed_keys", 0);
  }

  private Future<Answer> summary() {
    return operations
        .describeSegments(new DescribeSegments(ALL))
        .map(
            segments ->
                new Answer(200, METRICS, Buffer.buffer(summary(stats.snapshot(), segments))));
  }

  private static String summary(MasterStats.Snapshot now, List<SegmentInfo> segments) {
    long diskUsed = 0;
    long diskSize = 0;
    for (SegmentInfo segment : segments) {
      if (segment.spec().kind() == SegmentKind.LOCAL_DISK) {
        diskUsed += segment.usedBytes();
        diskSize += segment.spec().size();
      }
    }
    return "role="
        + ROLE
        + ", state="
        + STATE
        + ", service_ready=true, master={Mem Storage: "
        + now.memoryUsedBytes()
        + " / "
        + now.memoryCapacityBytes()
        + " B | SSD Storage: "
        + diskUsed
        + " / "
        + diskSize
        + " B | Keys: "
        + now.objects()
        + " | Clients: "
        + now.clients().getOrDefault(ClientState.ACTIVE, 0)
        + "}, ha={}\n";
  }
}
