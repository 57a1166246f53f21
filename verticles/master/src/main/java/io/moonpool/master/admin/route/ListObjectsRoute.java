package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.KeySelection;
import io.moonpool.master.request.Limits;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Lists the objects of a tenant page by page. */
public final class ListObjectsRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public ListObjectsRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/objects";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    String tenant = request.text("tenant", "");
    String prefix = request.text("prefix", "");
    String pattern = request.text("pattern", "");
    long cursor = request.number("cursor", 0, 0, Long.MAX_VALUE);
    int limit =
        (int) request.number("limit", Limits.DEFAULT_PAGE_OBJECTS, 1, Limits.MAX_PAGE_OBJECTS);
    request.end();
    return master
        .list(new ListObjects(tenant, KeySelection.toList(pattern, prefix), cursor, limit))
        .map(
            page ->
                Answer.ok(
                    new JsonObject()
                        .put("objects", JsonForms.array(page.objects(), JsonForms::object))
                        .put("next_cursor", Long.toString(page.nextCursor()))));
  }
}
