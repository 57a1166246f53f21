package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.health.Readiness;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Whether the master can do its work now; 503 when something of it cannot. */
public final class ReadyRoute implements Route {
  private final Readiness readiness;

  /** A route to those checks. */
  public ReadyRoute(Readiness readiness) {
    this.readiness = readiness;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/health/ready";
  }

  @Override
  public boolean open() {
    return true;
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    return readiness
        .check()
        .map(
            checks -> {
              boolean ready = checks.stream().allMatch(Readiness.Check::up);
              return Answer.json(
                  ready ? 200 : 503,
                  new JsonObject()
                      .put("status", status(ready))
                      .put("checks", JsonForms.array(checks, ReadyRoute::check)));
            });
  }

  private static JsonObject check(Readiness.Check check) {
    JsonObject json = new JsonObject().put("name", check.name()).put("status", status(check.up()));
    return check.up() ? json : json.put("message", check.message());
  }

  private static String status(boolean up) {
    return up ? "up" : "down";
  }
}
