package io.moonpool.master.admin;

import io.moonpool.master.MasterContext;
import io.moonpool.master.MasterInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.request.AdminAddresses;
import io.vertx.core.Future;
import java.util.function.Function;

/** The HTTP interface as part of a master. */
public final class AdminInterface implements MasterInterface {
  private final MasterMetrics metrics;
  private final Function<MasterContext, AdminAddition> addition;

  /**
   * An interface that serves those metrics.
   *
   * @param metrics those that the master's Vert.x counts into
   */
  public AdminInterface(MasterMetrics metrics) {
    this(metrics, master -> AdminAddition.NONE);
  }

  /**
   * An interface that serves those metrics, and what another protocol adds.
   *
   * @param metrics those that the master's Vert.x counts into
   * @param addition what that is, for a master that is about to serve
   */
  public AdminInterface(MasterMetrics metrics, Function<MasterContext, AdminAddition> addition) {
    this.metrics = metrics;
    this.addition = addition;
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
            metrics,
            addition.apply(context));
    return context.vertx().deployVerticle(verticle).map(id -> verticle.port());
  }
}
