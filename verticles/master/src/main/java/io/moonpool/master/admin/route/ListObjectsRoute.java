package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.KeySelection;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Lists the objects of a tenant page by page. */
public final class ListObjectsRoute implements Route {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1_000;

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
    int limit = (int) request.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    request.end();
    if (!prefix.isEmpty() && !pattern.isEmpty()) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "prefix and pattern exclude each other: give one of them");
    }
    String selection =
        prefix.isEmpty() ? KeySelection.matching(pattern) : KeySelection.startingWith(prefix);
    return master
        .list(new ListObjects(tenant, selection, cursor, limit))
        .map(
            page ->
                Answer.ok(
                    new JsonObject()
                        .put("objects", JsonForms.array(page.objects(), JsonForms::object))
                        .put("next_cursor", Long.toString(page.nextCursor()))));
  }
}
