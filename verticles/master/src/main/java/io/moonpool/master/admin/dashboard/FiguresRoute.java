package io.moonpool.master.admin.dashboard;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** What the pool did in the last minutes. */
public final class FiguresRoute implements Route {
  private final DashboardFeed feed;

  /** A route to what that feed remembers. */
  public FiguresRoute(DashboardFeed feed) {
    this.feed = feed;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/figures";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return Future.succeededFuture(Answer.ok(feed.figures()));
  }
}
