package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.KeyBatch;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** Describes an object without leasing it. */
public final class DescribeObjectRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public DescribeObjectRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/objects/{key}";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    String key = request.path("key");
    String tenant = request.text("tenant", "");
    request.end();
    return master
        .describe(new NamedObjects(tenant, KeyBatch.of(key)))
        .map(outcomes -> Answer.ok(JsonForms.object(outcomes.get(0).get())));
  }
}
