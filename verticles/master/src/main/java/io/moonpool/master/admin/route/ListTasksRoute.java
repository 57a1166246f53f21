package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.moonpool.master.request.Limits;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.moonpool.protocol.json.JsonForms;
import io.moonpool.protocol.json.Uuids;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists the latest tasks. */
public final class ListTasksRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public ListTasksRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/tasks";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    TaskStatus status = status(request.text("status", ""));
    UUID job = job(request.text("job_id", ""));
    int limit =
        (int) request.number("limit", Limits.DEFAULT_PAGE_OBJECTS, 1, Limits.MAX_PAGE_OBJECTS);
    request.end();
    return drains
        .tasks(status, job, limit)
        .map(
            tasks ->
                Answer.ok(new JsonObject().put("tasks", JsonForms.array(tasks, DrainForms::task))));
  }

  private static @Nullable TaskStatus status(String text) {
    if (text.isEmpty()) {
      return null;
    }
    for (TaskStatus status : TaskStatus.values()) {
      if (JsonForms.name(status).equals(text)) {
        return status;
      }
    }
    throw new StoreException(
        ErrorCode.INVALID_PARAMS,
        "parameter status must be one of failed, pending, processing, success");
  }

  private static @Nullable UUID job(String text) {
    try {
      return text.isEmpty() ? null : Uuids.parse(text);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "parameter job_id must be a UUID of 36 characters");
    }
  }
}
