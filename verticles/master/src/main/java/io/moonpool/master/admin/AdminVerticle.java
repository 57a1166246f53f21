package io.moonpool.master.admin;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.route.DescribeObjectRoute;
import io.moonpool.master.admin.route.ListObjectsRoute;
import io.moonpool.model.KeyBatch;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves the HTTP interface. One instance. */
public final class AdminVerticle extends VerticleBase {
  /** Room for the longest key, percent-encoded, and a query. */
  private static final int MAX_REQUEST_LINE_BYTES = 3 * KeyBatch.MAX_KEY_BYTES + 16_384;

  private final AdminOptions options;
  private final RouteTable routes;
  private @Nullable HttpServer server;

  /** An interface to that master. */
  public AdminVerticle(AdminOptions options, MasterOperations master) {
    this.options = options;
    routes = new RouteTable(List.of(new ListObjectsRoute(master), new DescribeObjectRoute(master)));
  }

  @Override
  public Future<?> start() {
    HttpServerOptions http =
        new HttpServerOptions()
            .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
            // The same limit for HTTP/2, where the request line is a header.
            .setInitialSettings(new Http2Settings().setMaxHeaderListSize(MAX_REQUEST_LINE_BYTES))
            .setIdleTimeout(2)
            .setIdleTimeoutUnit(TimeUnit.MINUTES);
    options
        .address()
        .tls()
        .ifPresent(tls -> http.setSsl(true).setKeyCertOptions(tls.keyCertOptions()));
    HttpServer created = vertx.createHttpServer(http);
    server = created;
    return created
        .requestHandler(new AdminHandler(options.address(), routes, options.maxBodyBytes()))
        .listen(options.address().port(), options.address().host());
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
