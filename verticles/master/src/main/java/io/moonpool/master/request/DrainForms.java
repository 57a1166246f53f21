package io.moonpool.master.request;

import io.moonpool.master.drain.DrainEvent;
import io.moonpool.master.drain.DrainPlan;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.master.drain.TaskInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, tasks, plans and events as JSON: the same over REST, the event bus and in the journal. Any
 * thread.
 */
public final class DrainForms {
  private DrainForms() {}

  /** A job. */
  public static JsonObject job(JobInfo job) {
    JsonObject json =
        new JsonObject()
            .put("job_id", job.id().toString())
            .put("status", JsonForms.name(job.status()))
            .put("message", job.message())
            .put("request", request(job.request()))
            .put("segments", JsonForms.array(job.sources(), DrainForms::source))
            .put("targets", ids(job.targets()))
            .put("created_at_ms", job.createdAtMillis())
            .put("updated_at_ms", job.updatedAtMillis())
            .put("succeeded_units", job.succeededUnits())
            .put("dropped_units", job.droppedUnits())
            .put("gone_units", job.goneUnits())
            .put("failed_units", job.failedUnits())
            .put("failed_attempts", job.failedAttempts())
            .put("lost_units", job.lostUnits())
            .put("active_units", job.activeUnits())
            .put("blocked_units", job.blockedUnits())
            .put("rehoming_units", job.rehomingUnits())
            .put("remaining_units", job.remainingUnits())
            .put("migrated_bytes", job.migratedBytes())
            .put("units_per_second", rounded(job.unitsPerSecond()))
            .put("bytes_per_second", rounded(job.bytesPerSecond()))
            .put("blocked", JsonForms.array(job.blocked(), DrainForms::blocked));
    return job.remainingMillis() < 0 ? json : json.put("remaining_ms", job.remainingMillis());
  }

  private static double rounded(double value) {
    return Math.round(value * 10) / 10.0;
  }

  private static JsonObject request(DrainRequest request) {
    return new JsonObject()
        .put("node", request.node())
        .put("segments", new JsonArray(request.segments()))
        .put("target_segments", new JsonArray(request.targetSegments()))
        .put("max_concurrency", request.maxConcurrency())
        .put("max_bytes_per_second", request.maxBytesPerSecond())
        .put("deadline_ms", request.deadlineMillis())
        .put("stall_timeout_ms", request.stallTimeoutMillis());
  }

  /** A segment that a job empties. */
  public static JsonObject source(JobInfo.Source source) {
    return new JsonObject()
        .put("id", source.segmentId().toString())
        .put("name", source.name())
        .put("node_id", source.nodeId().toString())
        .put("kind", source.disk() ? "local_disk" : "memory");
  }

  private static JsonObject blocked(JobInfo.BlockedUnit unit) {
    return new JsonObject()
        .put("tenant", unit.tenant())
        .put("key", unit.key())
        .put("reason", unit.reason());
  }

  private static JsonArray ids(List<UUID> ids) {
    JsonArray array = new JsonArray();
    ids.forEach(id -> array.add(id.toString()));
    return array;
  }

  /** What a drain would do. */
  public static JsonObject plan(DrainPlan plan) {
    return new JsonObject()
        .put("segments", JsonForms.array(plan.sources(), DrainForms::source))
        .put("units", plan.units())
        .put("bytes", plan.bytes())
        .put("disk_units", plan.diskUnits())
        .put("dropped_units", plan.droppedUnits())
        .put(
            "targets",
            JsonForms.array(
                plan.targets(),
                target ->
                    source(target.segment())
                        .put("free_bytes", target.freeBytes())
                        .put("room_bytes", target.roomBytes())
                        .put("expected_bytes", target.expectedBytes())))
        .put("no_room_bytes", plan.noRoomBytes())
        .put("blocked_units", plan.blockedUnits())
        .put("blocked", JsonForms.array(plan.blocked(), DrainForms::blocked));
  }

  /** A task. */
  public static JsonObject task(TaskInfo task) {
    JsonObject json =
        new JsonObject()
            .put("task_id", task.id().toString())
            .put("type", JsonForms.name(task.type()))
            .put("status", JsonForms.name(task.status()))
            .put("tenant", task.tenant())
            .put("key", task.key())
            .put("targets", ids(task.targets()))
            .put("size", task.bytes())
            .put("created_at_ms", task.createdAtMillis())
            .put("updated_at_ms", task.updatedAtMillis())
            .put("message", task.message());
    put("source", task.source(), json);
    put("job_id", task.job(), json);
    put("node_id", task.node(), json);
    return task.code() == ErrorCode.OK
        ? json
        : json.put("error", task.code().name()).put("code", task.code().number());
  }

  private static void put(String name, @Nullable UUID id, JsonObject json) {
    if (id != null) {
      json.put(name, id.toString());
    }
  }

  /** An event. */
  public static JsonObject event(DrainEvent event) {
    return new JsonObject().put("event", event.event()).put("job", job(event.job()));
  }

  /** A job that {@link #job} has written: what it waited for is not read. */
  public static JobInfo readJob(JsonObject json) {
    List<JobInfo.Source> sources = new ArrayList<>();
    for (Object item : json.getJsonArray("segments")) {
      JsonObject source = (JsonObject) item;
      sources.add(
          new JobInfo.Source(
              UUID.fromString(source.getString("id")),
              source.getString("name"),
              UUID.fromString(source.getString("node_id")),
              source.getString("kind").equals("local_disk")));
    }
    List<UUID> targets = new ArrayList<>();
    for (String target : texts(json, "targets")) {
      targets.add(UUID.fromString(target));
    }
    JsonObject request = json.getJsonObject("request");
    return new JobInfo(
        UUID.fromString(json.getString("job_id")),
        JobStatus.valueOf(json.getString("status").toUpperCase(Locale.ROOT)),
        new DrainRequest(
            request.getString("node"),
            texts(request, "segments"),
            texts(request, "target_segments"),
            request.getInteger("max_concurrency"),
            request.getLong("max_bytes_per_second"),
            request.getLong("deadline_ms"),
            request.getLong("stall_timeout_ms")),
        sources,
        targets,
        json.getLong("created_at_ms"),
        json.getLong("updated_at_ms"),
        json.getLong("succeeded_units"),
        json.getLong("dropped_units"),
        json.getLong("gone_units"),
        json.getLong("failed_units"),
        json.getLong("failed_attempts"),
        json.getLong("lost_units"),
        0,
        0,
        json.getLong("rehoming_units", 0L),
        json.getLong("remaining_units"),
        json.getLong("migrated_bytes"),
        0,
        0,
        0,
        List.of(),
        json.getString("message"));
  }

  private static List<String> texts(JsonObject json, String name) {
    List<String> texts = new ArrayList<>();
    for (Object item : json.getJsonArray(name)) {
      texts.add((String) item);
    }
    return texts;
  }
}
