package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.UUID;

/** Describes one task. */
public final class DescribeTaskRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public DescribeTaskRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/tasks/{task_id}";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    UUID id = request.pathUuid("task_id");
    request.end();
    return drains.task(id).map(task -> Answer.ok(DrainForms.task(task)));
  }
}
