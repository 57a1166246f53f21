package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.UUID;

/** Ends a drain job before it is done. */
public final class CancelDrainJobRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public CancelDrainJobRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/drain_jobs/{job_id}/cancel";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    UUID id = request.pathUuid("job_id");
    request.end();
    request.fields().end();
    return drains.cancel(id).map(job -> Answer.ok(DrainForms.job(job)));
  }
}
