package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.SingleKey;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.RemoveObjects;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Removes an object. */
public final class RemoveObjectRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public RemoveObjectRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.DELETE;
  }

  @Override
  public String path() {
    return "/api/v1/objects/{key}";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    String key = request.path("key");
    String tenant = request.text("tenant", "");
    boolean force = request.truth("force", false);
    request.end();
    return master
        .remove(new RemoveObjects(tenant, SingleKey.of(key), force))
        .map(
            outcomes -> {
              Outcome<Void> outcome = outcomes.get(0);
              if (!outcome.ok()) {
                throw new StoreException(outcome.code());
              }
              return Answer.ok(new JsonObject().put("removed", 1));
            });
  }
}
