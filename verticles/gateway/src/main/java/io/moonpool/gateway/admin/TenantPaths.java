package io.moonpool.gateway.admin;

import io.moonpool.gateway.handler.RemovalHandlers;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;

/** Removal of everything, and quotas of tenants, which there are none of. */
final class TenantPaths {
  private final RemovalHandlers removals;

  TenantPaths(RemovalHandlers removals) {
    this.removals = removals;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.add(MooncakeRoute.post("/api/v1/remove_all", this::removeAll));
    for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE)) {
      routes.add(
          new MooncakeRoute(
              method,
              "/api/v1/tenant_quotas",
              false,
              request ->
                  Future.failedFuture(new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_MODE)),
              MooncakeAnswers::failed));
    }
    return routes;
  }

  private Future<Answer> removeAll(RouteRequest request) {
    String forced = RawQuery.decoded(request.rawQuery(), "force");
    boolean force = forced.equals("true") || forced.equals("1");
    String tenant = RawQuery.decoded(request.rawQuery(), "tenant_id");
    return removals
        .removeAll(tenant, force, () -> false)
        .map(count -> MooncakeAnswers.json(MooncakeAnswers.success().put("removed_count", count)));
  }
}
