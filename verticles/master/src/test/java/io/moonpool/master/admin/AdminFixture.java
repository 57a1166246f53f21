package io.moonpool.master.admin;

import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.TimeUnit;

/** An HTTP interface over a fake master, with everything around it. */
public final class AdminFixture implements AutoCloseable {
  public final FakeMaster master = new FakeMaster();
  public final FakeDrains drains = new FakeDrains();
  public final FakeLiveness liveness = new FakeLiveness();
  public final FakeStats stats = new FakeStats();
  public final Vertx vertx;
  public final RestCaller rest;
  public final int port;
  public final AdminVerticle verticle;

  public AdminFixture() {
    this(AdminOptions.of(AdminAddress.loopback(0)));
  }

  public AdminFixture(AdminOptions options) {
    this(options, AdminAddition.NONE);
  }

  public AdminFixture(AdminOptions options, AdminAddition addition) {
    MasterMetrics metrics = new MasterMetrics();
    vertx = metrics.addTo(Vertx.builder().with(metrics.configure(new VertxOptions()))).build();
    verticle = new AdminVerticle(options, master, drains, liveness, stats, metrics, addition);
    await(vertx.deployVerticle(verticle));
    port = verticle.port();
    rest = new RestCaller(port);
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  /** The result of a future, which must come soon. */
  public static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no result", e);
    }
  }
}
