package io.moonpool.gateway.admin;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Drain jobs. Starting one has the same path and body in Moonpool's own interface, which therefore
 * answers it.
 */
final class DrainPaths {
  /** The only type of job there is. */
  private static final int DRAIN = 0;

  private final DrainOperations drains;

  DrainPaths(DrainOperations drains) {
    this.drains = drains;
  }

  List<Route> routes() {
    return List.of(
        MooncakeRoute.get(
            "/api/v1/drain_jobs/query", request -> ofJob(request, drains::job, DrainPaths::told)),
        MooncakeRoute.post(
            "/api/v1/drain_jobs/cancel",
            request -> ofJob(request, drains::cancel, DrainPaths::canceled)));
  }

  private static Future<Answer> ofJob(
      RouteRequest request,
      Function<UUID, Future<JobInfo>> ask,
      Function<JobInfo, JsonObject> tell) {
    UUID job = MooncakeAnswers.id(RawQuery.decoded(request.rawQuery(), "job_id"));
    if (job == null) {
      return Future.succeededFuture(
          MooncakeAnswers.failed(400, ErrorCode.INVALID_PARAMS, "Missing or invalid job_id"));
    }
    return ask.apply(job).map(found -> MooncakeAnswers.json(tell.apply(found)));
  }

  private static JsonObject told(JobInfo job) {
    JsonArray segments = new JsonArray();
    job.sources().forEach(source -> segments.add(source.name()));
    return MooncakeAnswers.withoutError(
        MooncakeAnswers.success()
            .put("job_id", MooncakeAnswers.id(job.id()))
            .put("type", DRAIN)
            .put("type_name", "DRAIN")
            .put("status", job.status().number())
            .put("status_name", job.status().name())
            .put("created_at_ms_epoch", job.createdAtMillis())
            .put("last_updated_at_ms_epoch", job.updatedAtMillis())
            .put("segments", segments)
            .put("succeeded_units", job.succeededUnits())
            .put("failed_units", job.failedUnits())
            .put("blocked_units", job.blockedUnits())
            .put("active_units", job.activeUnits())
            .put("migrated_bytes", job.migratedBytes())
            .put("message", job.message()));
  }

  private static JsonObject canceled(JobInfo job) {
    return MooncakeAnswers.withoutError(
        MooncakeAnswers.success()
            .put("job_id", MooncakeAnswers.id(job.id()))
            .put("status", job.status().name()));
  }
}
