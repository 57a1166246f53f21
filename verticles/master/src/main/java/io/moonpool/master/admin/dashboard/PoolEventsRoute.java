package io.moonpool.master.admin.dashboard;

import io.moonpool.master.admin.EventRoute;
import io.moonpool.master.admin.RouteRequest;
import io.vertx.core.Future;

/** Tells of all that happens in the pool, for as long as somebody listens. */
public final class PoolEventsRoute implements EventRoute {
  private final DashboardFeed feed;

  /** A route to that feed. */
  public PoolEventsRoute(DashboardFeed feed) {
    this.feed = feed;
  }

  @Override
  public String path() {
    return "/api/v1/events";
  }

  @Override
  public Future<Runnable> open(RouteRequest request, EventSink sink) {
    request.end();
    return Future.succeededFuture(feed.watch(sink));
  }
}
