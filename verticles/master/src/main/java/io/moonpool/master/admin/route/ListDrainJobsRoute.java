package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Lists the drain jobs that are remembered. */
public final class ListDrainJobsRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public ListDrainJobsRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/drain_jobs";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return drains
        .jobs()
        .map(
            jobs ->
                Answer.ok(new JsonObject().put("jobs", JsonForms.array(jobs, DrainForms::job))));
  }
}
