package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.UUID;

/** Describes one segment. */
public final class DescribeSegmentRoute implements Route {
  private static final long[] ALL = {};

  private final MasterOperations master;

  /** A route to that master. */
  public DescribeSegmentRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/segments/{segment_id}";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    UUID id = request.pathUuid("segment_id");
    request.end();
    return master
        .describeSegments(new DescribeSegments(ALL))
        .map(
            segments ->
                segments.stream()
                    .filter(segment -> segment.spec().id().equals(id))
                    .findFirst()
                    .map(segment -> Answer.ok(JsonForms.segment(segment)))
                    .orElseThrow(() -> new StoreException(ErrorCode.SEGMENT_NOT_FOUND)));
  }
}
