package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Lists the clients: the nodes that are registered. */
public final class ListClientsRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public ListClientsRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/clients";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return master
        .clients()
        .map(
            clients ->
                Answer.ok(
                    new JsonObject().put("clients", JsonForms.array(clients, JsonForms::client))));
  }
}
