package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.request.ClusterSummary;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** The pool as a whole. */
public final class ClusterRoute implements Route {
  private final MasterOperations master;
  private final MasterStats stats;

  /** A route to that master. */
  public ClusterRoute(MasterOperations master, MasterStats stats) {
    this.master = master;
    this.stats = stats;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/cluster";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return ClusterSummary.ask(master, stats).map(summary -> Answer.ok(summary.toJson()));
  }
}
