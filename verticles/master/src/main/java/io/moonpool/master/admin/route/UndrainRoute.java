package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.moonpool.protocol.json.Fields;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Has segments take objects again that were drained. */
public final class UndrainRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public UndrainRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/undrain";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    Fields fields = request.fields();
    String node = fields.text("node", "");
    List<String> segments = fields.texts("segments");
    fields.end();
    return drains
        .undrain(node, segments)
        .map(
            back ->
                Answer.ok(
                    new JsonObject().put("segments", JsonForms.array(back, DrainForms::source))));
  }
}
