package io.moonpool.node.rest;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.parts.LargeObjects;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.Tenants;
import io.moonpool.node.disk.LocalDisk;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every request passes here: check the token, find the route, let it answer; whatever is wrong is
 * answered as JSON with the error's name and number.
 */
final class RestHandler implements Handler<HttpServerRequest> {
  /** Names the tenant of a request; absent or empty for the default one. */
  static final String TENANT_HEADER = "Moonpool-Tenant";

  private static final String ALLOWED = "GET, HEAD, PUT, DELETE";

  private final Vertx vertx;
  private final AdminAddress address;
  private final RestStats stats;
  private final Supplier<HealthReport> health;
  private final Supplier<String> metrics;
  private @Nullable MoonpoolClient client;
  private @Nullable DiskRoutes disks;
  private PartOptions parts = PartOptions.DEFAULT;
  private Map<String, ObjectRoute> routes = Map.of();

  /**
   * A handler that answers requests for objects once it has a client.
   *
   * @param metrics the text that Prometheus reads; may block
   */
  RestHandler(
      Vertx vertx,
      AdminAddress address,
      RestStats stats,
      Supplier<HealthReport> health,
      Supplier<String> metrics) {
    this.vertx = vertx;
    this.address = address;
    this.stats = stats;
    this.health = health;
    this.metrics = metrics;
  }

  /**
   * Serves objects through that client from now on.
   *
   * @param staging memory for values on their way
   * @param spaceWaitMillis how long a put may wait for space
   */
  void serve(
      MoonpoolClient through, PartOptions options, SharedStaging staging, long spaceWaitMillis) {
    GetObject get = new GetObject(staging, stats);
    client = through;
    parts = options;
    routes =
        Map.of(
            "GET",
            get,
            "HEAD",
            get,
            "PUT",
            new PutObject(through, staging, stats, spaceWaitMillis),
            "DELETE",
            new DeleteObject());
  }

  /** Answers questions about that disk from now on. */
  void serve(LocalDisk disk) {
    disks = new DiskRoutes(disk);
  }

  @Override
  public void handle(HttpServerRequest request) {
    request.pause();
    HttpServerResponse response = request.response();
    response.endHandler(ended -> stats.answered(response.getStatusCode()));
    response.exceptionHandler(gone -> {}); // the routes see it as a failed write
    Future<Void> answered;
    try {
      answered = dispatch(request);
    } catch (StoreException e) {
      answered = Future.failedFuture(e);
    }
    answered.onFailure(failure -> RestFailure.of(failure).answer(request, vertx));
  }

  private Future<Void> dispatch(HttpServerRequest request) {
    String path = request.path() == null ? "" : request.path();
    if (!path.startsWith(ObjectPath.PREFIX) && !request.isEnded()) {
      request.resume(); // no other path has a use for a body
    }
    switch (path) {
      case "/health/live" -> {
        return json(request, 200, health.get().details());
      }
      case "/health/ready" -> {
        HealthReport report = health.get();
        return json(request, report.ready() ? 200 : 503, report.details());
      }
      default -> {
        // needs the token
      }
    }
    if (!address.permits(request.getHeader("Authorization"))) {
      return refuse(
          request,
          401,
          ErrorCode.ILLEGAL_CLIENT,
          "this interface needs the node's admin_token: send the header Authorization: Bearer"
              + " <token>");
    }
    if (path.equals("/metrics")) {
      return vertx
          .executeBlocking(metrics::get, false)
          .compose(
              text ->
                  request
                      .response()
                      .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                      .end(text == null ? "" : text));
    }
    if (path.startsWith(ObjectPath.PREFIX)) {
      return object(request, path);
    }
    if (DiskRoutes.owns(path)) {
      DiskRoutes routesOfDisk = disks;
      return routesOfDisk == null
          ? refuse(
              request,
              404,
              ErrorCode.NOT_SUPPORTED,
              "this node lends no disk: start it with disk_dir")
          : routesOfDisk.handle(request, path);
    }
    return refuse(
        request,
        404,
        ErrorCode.NOT_SUPPORTED,
        "unknown path: objects are at "
            + ObjectPath.PREFIX
            + "<key>, the disk at "
            + DiskRoutes.PREFIX
            + ", besides /health/live, /health/ready and /metrics");
  }

  private Future<Void> object(HttpServerRequest request, String path) {
    MoonpoolClient through = client;
    if (through == null) {
      return refuse(
          request,
          503,
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
          "the node is not connected to its master yet: try again");
    }
    ObjectRoute route = routes.get(request.method().name());
    if (route == null) {
      request.response().putHeader("Allow", ALLOWED);
      return refuse(
          request,
          405,
          ErrorCode.NOT_SUPPORTED,
          request.method() + " is not possible for objects: use " + ALLOWED);
    }
    String key = ObjectPath.key(path);
    String tenant = request.getHeader(TENANT_HEADER);
    if (tenant != null && !tenant.isEmpty()) {
      if (!Tenants.isValid(tenant)) {
        throw new StoreException(
            ErrorCode.INVALID_PARAMS,
            TENANT_HEADER + " must not start with '_' nor hold control characters");
      }
      through = through.forTenant(tenant);
    }
    return route.handle(new RestRequest(request, key, new LargeObjects(through, parts)));
  }

  /** Answers with a document that is true for this moment only. */
  static Future<Void> json(HttpServerRequest request, int status, JsonObject body) {
    return request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.toBuffer());
  }

  private Future<Void> refuse(
      HttpServerRequest request, int status, ErrorCode code, String message) {
    new RestFailure(status, code, message).answer(request, vertx);
    return Future.succeededFuture();
  }
}
