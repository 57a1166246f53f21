package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.SingleKey;
import io.moonpool.protocol.call.NamedObjects;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Tells whether an object can be read, and leases it if so. */
public final class ObjectExistsRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public ObjectExistsRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/objects/{key}/exists";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    String key = request.path("key");
    String tenant = request.text("tenant", "");
    request.end();
    return master
        .exists(new NamedObjects(tenant, SingleKey.of(key)))
        .map(outcomes -> Answer.ok(new JsonObject().put("exists", outcomes.get(0).get())));
  }
}
