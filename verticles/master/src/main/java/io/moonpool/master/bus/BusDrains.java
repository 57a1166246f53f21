package io.moonpool.master.bus;

import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.master.request.DrainForms;
import io.moonpool.master.request.DrainRequests;
import io.moonpool.master.request.Limits;
import io.moonpool.model.TaskStatus;
import io.moonpool.protocol.json.Fields;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The requests about drain jobs, and about single copies and moves. */
final class BusDrains {
  private final DrainOperations drains;

  BusDrains(DrainOperations drains) {
    this.drains = drains;
  }

  Future<JsonObject> create(Fields request) {
    DrainRequest drain = DrainRequests.drain(request);
    request.end();
    return drains.createJob(drain).map(DrainForms::job);
  }

  Future<JsonObject> plan(Fields request) {
    DrainRequest drain = DrainRequests.drain(request);
    request.end();
    return drains.planJob(drain).map(DrainForms::plan);
  }

  Future<JsonObject> describe(Fields request) {
    return drains.job(jobId(request)).map(DrainForms::job);
  }

  Future<JsonObject> list(Fields request) {
    request.end();
    return drains
        .jobs()
        .map(jobs -> new JsonObject().put("jobs", JsonForms.array(jobs, DrainForms::job)));
  }

  Future<JsonObject> cancel(Fields request) {
    return drains.cancel(jobId(request)).map(DrainForms::job);
  }

  private static UUID jobId(Fields request) {
    UUID id = request.uuid("job_id");
    request.end();
    return id;
  }

  Future<JsonObject> undrain(Fields request) {
    String node = request.text("node", "");
    List<String> segments = request.texts("segments");
    request.end();
    return drains
        .undrain(node, segments)
        .map(back -> new JsonObject().put("segments", JsonForms.array(back, DrainForms::source)));
  }

  Future<JsonObject> move(Fields request) {
    MoveRequest move = DrainRequests.move(request);
    request.end();
    return drains.createMoveTask(move).map(DrainForms::task);
  }

  Future<JsonObject> copy(Fields request) {
    CopyRequest copy = DrainRequests.copy(request);
    request.end();
    return drains.createCopyTask(copy).map(DrainForms::task);
  }

  Future<JsonObject> describeTask(Fields request) {
    UUID id = request.uuid("task_id");
    request.end();
    return drains.task(id).map(DrainForms::task);
  }

  Future<JsonObject> listTasks(Fields request) {
    // The given default only says what there is to choose from.
    @Nullable TaskStatus status =
        request.has("status") ? request.constant("status", TaskStatus.PENDING) : null;
    @Nullable UUID job = request.has("job_id") ? request.uuid("job_id") : null;
    int limit =
        (int) request.number("limit", Limits.DEFAULT_PAGE_OBJECTS, 1, Limits.MAX_PAGE_OBJECTS);
    request.end();
    return drains
        .tasks(status, job, limit)
        .map(tasks -> new JsonObject().put("tasks", JsonForms.array(tasks, DrainForms::task)));
  }
}
