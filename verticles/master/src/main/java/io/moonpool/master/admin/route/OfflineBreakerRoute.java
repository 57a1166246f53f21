package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.master.request.BreakerForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** Tells whether nodes are kept from going OFFLINE, and which. */
public final class OfflineBreakerRoute implements Route {
  private final LivenessOperations liveness;

  /** A route to that monitor. */
  public OfflineBreakerRoute(LivenessOperations liveness) {
    this.liveness = liveness;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/offline_breaker";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return liveness.breaker().map(state -> Answer.ok(BreakerForms.state(state)));
  }
}
