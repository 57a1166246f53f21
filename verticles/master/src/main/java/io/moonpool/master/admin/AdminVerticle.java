package io.moonpool.master.admin;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.admin.dashboard.Asset;
import io.moonpool.master.admin.dashboard.AssetRoute;
import io.moonpool.master.admin.dashboard.Assets;
import io.moonpool.master.admin.dashboard.DashboardFeed;
import io.moonpool.master.admin.dashboard.FiguresRoute;
import io.moonpool.master.admin.dashboard.PoolEventsRoute;
import io.moonpool.master.admin.metrics.MasterFigures;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.admin.route.CancelDrainJobRoute;
import io.moonpool.master.admin.route.ClusterRoute;
import io.moonpool.master.admin.route.ConfirmOfflineRoute;
import io.moonpool.master.admin.route.CreateDrainJobRoute;
import io.moonpool.master.admin.route.CreateTaskRoute;
import io.moonpool.master.admin.route.DescribeClientRoute;
import io.moonpool.master.admin.route.DescribeDrainJobRoute;
import io.moonpool.master.admin.route.DescribeObjectRoute;
import io.moonpool.master.admin.route.DescribeSegmentRoute;
import io.moonpool.master.admin.route.DescribeTaskRoute;
import io.moonpool.master.admin.route.DrainJobEventsRoute;
import io.moonpool.master.admin.route.FixedRoute;
import io.moonpool.master.admin.route.ListClientsRoute;
import io.moonpool.master.admin.route.ListDrainJobsRoute;
import io.moonpool.master.admin.route.ListObjectsRoute;
import io.moonpool.master.admin.route.ListSegmentsRoute;
import io.moonpool.master.admin.route.ListTasksRoute;
import io.moonpool.master.admin.route.LiveRoute;
import io.moonpool.master.admin.route.MetricsRoute;
import io.moonpool.master.admin.route.ObjectExistsRoute;
import io.moonpool.master.admin.route.OfflineBreakerRoute;
import io.moonpool.master.admin.route.ReadyRoute;
import io.moonpool.master.admin.route.RemoveMatchingRoute;
import io.moonpool.master.admin.route.RemoveObjectRoute;
import io.moonpool.master.admin.route.UndrainRoute;
import io.moonpool.master.admin.route.UnmountSegmentRoute;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.health.Readiness;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.master.request.SegmentUnmount;
import io.moonpool.model.KeyBatch;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Serves the HTTP interface. One instance. */
public final class AdminVerticle extends VerticleBase {
  /** Room for the longest key, percent-encoded, and a query. */
  private static final int MAX_REQUEST_LINE_BYTES = 3 * KeyBatch.MAX_KEY_BYTES + 16_384;

  private final AdminOptions options;
  private final MasterOperations master;
  private final DrainOperations drains;
  private final LivenessOperations liveness;
  private final MasterStats stats;
  private final MasterMetrics metrics;
  private final AdminAddition addition;
  private volatile List<Route> routes = List.of();
  private volatile @Nullable HttpServer server;

  /**
   * An interface to that master.
   *
   * @param addition what it serves beside its own
   */
  public AdminVerticle(
      AdminOptions options,
      MasterOperations master,
      DrainOperations drains,
      LivenessOperations liveness,
      MasterStats stats,
      MasterMetrics metrics,
      AdminAddition addition) {
    this.options = options;
    this.master = master;
    this.drains = drains;
    this.liveness = liveness;
    this.stats = stats;
    this.metrics = metrics;
    this.addition = addition;
  }

  @Override
  public Future<?> start() {
    return vertx
        .executeBlocking(Files::load, false)
        .map(files -> Objects.requireNonNull(files))
        .compose(
            files ->
                master.hello(new Hello(Hello.VERSION, "admin")).map(hello -> routes(files, hello)))
        .compose(this::listen);
  }

  /** What is served as it was written. */
  private record Files(OpenApiDocument document, Map<String, Asset> assets) {
    /** Reads them; blocks. */
    static Files load() {
      return new Files(OpenApiDocument.load(), Assets.load());
    }
  }

  private List<Route> routes(Files files, HelloAnswer hello) {
    WorkerExecutor scraper = vertx.createSharedWorkerExecutor("moonpool-scrape", 1);
    MasterFigures figures =
        new MasterFigures(metrics.registry(), stats.snapshot(), hello.serverVersion());
    DashboardFeed feed = new DashboardFeed(vertx, master, drains, stats, hello);
    feed.start();
    OpenApiDocument document = files.document();
    Answer page = Assets.page(files.assets());
    return List.of(
        new ListObjectsRoute(master),
        new DescribeObjectRoute(master),
        new ObjectExistsRoute(master),
        new RemoveObjectRoute(master),
        new RemoveMatchingRoute(master),
        new ListSegmentsRoute(master),
        new DescribeSegmentRoute(master),
        new UnmountSegmentRoute(new SegmentUnmount(vertx, master)),
        new ListClientsRoute(master),
        new CreateDrainJobRoute(drains),
        new ListDrainJobsRoute(drains),
        new DescribeDrainJobRoute(drains),
        new CancelDrainJobRoute(drains),
        new DrainJobEventsRoute(drains),
        new UndrainRoute(drains),
        new CreateTaskRoute(drains),
        new ListTasksRoute(drains),
        new DescribeTaskRoute(drains),
        new DescribeClientRoute(master),
        new OfflineBreakerRoute(liveness),
        new ConfirmOfflineRoute(liveness),
        new ClusterRoute(master, stats),
        new FiguresRoute(feed),
        new PoolEventsRoute(feed),
        new FixedRoute("/", true, page),
        new FixedRoute("/dashboard", true, page),
        new AssetRoute(files.assets()),
        new FixedRoute(
            "/api/v1/openapi.json", false, new Answer(200, Answer.JSON, document.json())),
        new FixedRoute(
            "/api/v1/openapi.yaml", false, new Answer(200, "application/yaml", document.yaml())),
        new LiveRoute(),
        new ReadyRoute(new Readiness(vertx, master, stats)),
        new MetricsRoute(
            master, stats, metrics, figures, addition.metrics(), scraper, options.openMetrics()));
  }

  private Future<HttpServer> listen(List<Route> all) {
    routes = Stream.concat(all.stream(), addition.routes().stream()).toList();
    HttpServerOptions http =
        new HttpServerOptions()
            .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
            // HTTP/2 comes with TLS only; the request line is a header there.
            .setHttp2ClearTextEnabled(false)
            .setInitialSettings(new Http2Settings().setMaxHeaderListSize(MAX_REQUEST_LINE_BYTES))
            .setIdleTimeout(2)
            .setIdleTimeoutUnit(TimeUnit.MINUTES);
    options
        .address()
        .tls()
        .ifPresent(
            tls -> http.setSsl(true).setUseAlpn(true).setKeyCertOptions(tls.keyCertOptions()));
    HttpServer created = vertx.createHttpServer(http);
    server = created;
    return created
        .requestHandler(
            new AdminHandler(options.address(), new RouteTable(routes), options.maxBodyBytes()))
        .invalidRequestHandler(InvalidRequest::refuse)
        .listen(options.address().port(), options.address().host());
  }

  /** What it answers, in no particular order; empty before the deployment has completed. */
  List<Route> routes() {
    return routes;
  }

  /**
   * The port that it listens on; useful when the configured one was 0. Any thread may call, after
   * the deployment has completed.
   */
  public int port() {
    HttpServer running = server;
    if (running == null) {
      throw new IllegalStateException("not deployed yet");
    }
    return running.actualPort();
  }
}
