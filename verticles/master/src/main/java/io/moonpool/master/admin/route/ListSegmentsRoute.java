package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Lists all segments. */
public final class ListSegmentsRoute implements Route {
  private static final long[] ALL = {};

  private final MasterOperations master;

  /** A route to that master. */
  public ListSegmentsRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/segments";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return master
        .describeSegments(new DescribeSegments(ALL))
        .map(
            segments ->
                Answer.ok(
                    new JsonObject()
                        .put("segments", JsonForms.array(segments, JsonForms::segment))));
  }
}
