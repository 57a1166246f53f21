package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.moonpool.master.request.Limits;
import io.moonpool.model.TaskStatus;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.UUID;

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
    TaskStatus status = request.constant("status", TaskStatus.class);
    UUID job = request.uuid("job_id");
    int limit =
        (int) request.number("limit", Limits.DEFAULT_PAGE_OBJECTS, 1, Limits.MAX_PAGE_OBJECTS);
    request.end();
    return drains
        .tasks(status, job, limit)
        .map(
            tasks ->
                Answer.ok(new JsonObject().put("tasks", JsonForms.array(tasks, DrainForms::task))));
  }
}
