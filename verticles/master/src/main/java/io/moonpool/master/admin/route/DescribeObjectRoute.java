package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.SingleKey;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/** Describes an object and the segments that it is on, without leasing it. */
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
        .describe(new NamedObjects(tenant, SingleKey.of(key)))
        .map(outcomes -> outcomes.get(0).get())
        .compose(this::withSegments);
  }

  private Future<Answer> withSegments(ObjectInfo object) {
    long[] generations =
        object.replicas().stream().mapToLong(ReplicaDescriptor::generation).distinct().toArray();
    // An empty list would ask for all segments.
    Future<List<SegmentInfo>> segments =
        generations.length == 0
            ? Future.succeededFuture(List.of())
            : master.describeSegments(new DescribeSegments(generations));
    return segments.map(
        found ->
            Answer.ok(
                JsonForms.object(object)
                    .put("segments", JsonForms.array(found, JsonForms::segment))));
  }
}
