package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.master.request.BreakerForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** An operator confirms that the nodes which are kept from going OFFLINE are gone. */
public final class ConfirmOfflineRoute implements Route {
  private final LivenessOperations liveness;

  /** A route to that monitor. */
  public ConfirmOfflineRoute(LivenessOperations liveness) {
    this.liveness = liveness;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/offline_breaker/confirm";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    request.fields().end();
    return liveness.confirmOffline().map(before -> Answer.ok(BreakerForms.state(before)));
  }
}
