package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/**
 * A document that is the same for everybody and at all times.
 *
 * @param path where it is
 * @param open whether callers without the token get it
 * @param answer the document
 */
public record FixedRoute(String path, boolean open, Answer answer) implements Route {
  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return Future.succeededFuture(answer);
  }
}
