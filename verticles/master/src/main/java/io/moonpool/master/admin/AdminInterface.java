package io.moonpool.master.admin;

import io.moonpool.master.MasterContext;
import io.moonpool.master.MasterInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.request.AdminAddresses;
import io.vertx.core.Future;

/** The HTTP interface as part of a master. */
public final class AdminInterface implements MasterInterface {
  private final MasterMetrics metrics;

  /**
   * An interface that serves those metrics.
   *
   * @param metrics those that the master's Vert.x counts into
   */
  public AdminInterface(MasterMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public Kind kind() {
    return Kind.HTTP;
  }

  @Override
  public Future<Integer> start(MasterContext context) {
    AdminOptions options;
    try {
      options =
          new AdminOptions(
              AdminAddresses.http(context.config()),
              context.config().openMetrics(),
              AdminOptions.DEFAULT_MAX_BODY_BYTES);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    AdminVerticle verticle =
        new AdminVerticle(
            options,
            context.operations(),
            context.drains(),
            context.liveness(),
            context.stats(),
            metrics);
    return context.vertx().deployVerticle(verticle).map(id -> verticle.port());
  }
}
