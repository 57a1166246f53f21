package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.admin.AdminAddition;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.admin.metrics.MasterFigures;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.protocol.call.DescribeSegments;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Objects;

/** All metrics in the Prometheus text format. */
public final class MetricsRoute implements Route {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final long[] ALL = {};

  private final MasterOperations master;
  private final MasterStats stats;
  private final MasterMetrics metrics;
  private final MasterFigures figures;
  private final AdminAddition.MetricText more;
  private final WorkerExecutor scraper;
  private final boolean open;

  /**
   * A route to those metrics.
   *
   * @param more what follows them
   * @param scraper where they are written out, which takes milliseconds
   * @param open whether callers without the token may scrape
   */
  public MetricsRoute(
      MasterOperations master,
      MasterStats stats,
      MasterMetrics metrics,
      MasterFigures figures,
      AdminAddition.MetricText more,
      WorkerExecutor scraper,
      boolean open) {
    this.master = master;
    this.stats = stats;
    this.metrics = metrics;
    this.figures = figures;
    this.more = more;
    this.scraper = scraper;
    this.open = open;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/metrics";
  }

  @Override
  public boolean open() {
    return open;
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    return master
        .describeSegments(new DescribeSegments(ALL))
        .compose(
            segments -> {
              MasterStats.Snapshot now = stats.snapshot();
              figures.update(now, segments);
              return scraper.executeBlocking(
                  () -> Buffer.buffer(metrics.scrape() + more.of(now, segments)), false);
            })
        .map(text -> new Answer(200, CONTENT_TYPE, Objects.requireNonNull(text)));
  }
}
