package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.Limits;
import io.moonpool.master.request.SegmentUnmount;
import io.moonpool.protocol.json.Fields;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.UUID;

/** Takes a segment out of the pool. */
public final class UnmountSegmentRoute implements Route {
  private final SegmentUnmount unmount;

  /** A route to that way of unmounting. */
  public UnmountSegmentRoute(SegmentUnmount unmount) {
    this.unmount = unmount;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/segments/{segment_id}/unmount";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    UUID id = request.pathUuid("segment_id");
    request.end();
    Fields fields = request.fields();
    long graceMillis = fields.number("grace_ms", 0, 0, Limits.MAX_GRACE_MILLIS);
    fields.end();
    return unmount
        .start(id, graceMillis)
        .map(
            complete ->
                Answer.json(complete ? 200 : 202, new JsonObject().put("complete", complete)));
  }
}
