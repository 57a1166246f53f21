package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/**
 * The process runs and its event loop answers: no reason to restart it. The time lets others see
 * how far their clocks are off.
 */
public final class LiveRoute implements Route {
  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/health/live";
  }

  @Override
  public boolean open() {
    return true;
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    return Future.succeededFuture(
        Answer.ok(new JsonObject().put("status", "up").put("time_ms", System.currentTimeMillis())));
  }
}
