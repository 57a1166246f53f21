package io.moonpool.master.bus;

import io.moonpool.master.admin.AdminFixture;
import io.moonpool.master.admin.FakeDrains;
import io.moonpool.master.admin.FakeMaster;
import io.moonpool.master.admin.FakeStats;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The public addresses over a fake master, and a caller. */
final class BusFixture implements AutoCloseable {
  final FakeMaster master = new FakeMaster();
  final FakeDrains drains = new FakeDrains();
  final Vertx vertx;

  BusFixture() {
    this(Vertx.vertx());
  }

  BusFixture(Vertx vertx) {
    this.vertx = vertx;
    AdminFixture.await(vertx.deployVerticle(new BusVerticle(master, drains, new FakeStats())));
  }

  /** The answer of a request that must succeed. */
  JsonObject ask(String address, Object body) {
    return AdminFixture.await(
        vertx.eventBus().<JsonObject>request(address, body).map(Message::body));
  }

  JsonObject ask(String address, String json) {
    return ask(address, new JsonObject(json));
  }

  /** The failure of a request that must fail because the master says so. */
  ReplyException fail(String address, Object body) {
    try {
      Message<Object> answer =
          vertx
              .eventBus()
              .request(address, body)
              .toCompletionStage()
              .toCompletableFuture()
              .orTimeout(20, TimeUnit.SECONDS)
              .join();
      throw new AssertionError("succeeded: " + answer.body());
    } catch (CompletionException e) {
      if (e.getCause() instanceof ReplyException refused
          && refused.failureType() == ReplyFailure.RECIPIENT_FAILURE) {
        return refused;
      }
      throw new AssertionError("failed otherwise", e);
    }
  }

  ReplyException fail(String address, String json) {
    return fail(address, new JsonObject(json));
  }

  @Override
  public void close() {
    AdminFixture.await(vertx.close());
  }
}
