package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.UUID;

/** Describes one drain job. */
public final class DescribeDrainJobRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public DescribeDrainJobRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/drain_jobs/{job_id}";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    UUID id = request.pathUuid("job_id");
    request.end();
    return drains.job(id).map(job -> Answer.ok(DrainForms.job(job)));
  }
}
