package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.KeySelection;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.json.Fields;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Removes every object of a tenant whose key matches. */
public final class RemoveMatchingRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public RemoveMatchingRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/object-removals";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    Fields fields = request.fields();
    String tenant = fields.text("tenant", "");
    String pattern = fields.text("pattern", "");
    String prefix = fields.text("prefix", "");
    boolean all = fields.truth("all", false);
    boolean force = fields.truth("force", false);
    fields.end();
    String selection = KeySelection.toRemove(pattern, prefix, all);
    return master
        .removeMatching(new RemoveMatching(tenant, selection, force))
        .map(removed -> Answer.ok(new JsonObject().put("removed", removed)));
  }
}
