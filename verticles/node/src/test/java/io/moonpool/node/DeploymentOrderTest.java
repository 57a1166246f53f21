package io.moonpool.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.node.rest.HealthReport;
import io.moonpool.node.rest.RestVerticle;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a verticle knows when its deployment is complete, however busy its loop is just then. */
class DeploymentOrderTest {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  /** Asks as soon as the deployment is complete, while the only loop does nothing else. */
  private <T> T whenDeployed(VerticleBase verticle, Supplier<T> ask) throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    Future<T> answer =
        vertx
            .deployVerticle(verticle)
            .map(
                id -> {
                  try {
                    return ask.get();
                  } finally {
                    answered.countDown();
                  }
                });
    vertx
        .getOrCreateContext()
        .runOnContext(
            busy -> {
              try {
                // Those who need the loop to go on get it after a while.
                answered.await(1, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    return answer.await(10, TimeUnit.SECONDS);
  }

  @Test
  void restKnowsItsPort() throws Exception {
    RestVerticle rest =
        new RestVerticle(
            new AdminAddress("127.0.0.1", 0, Optional.empty(), Optional.empty()),
            ConnectionLimit.none(),
            () -> new HealthReport(true, new JsonObject()),
            () -> "");
    assertThat(whenDeployed(rest, rest::port)).isPositive();
  }

  @Test
  void theTransportsAreThere() throws Exception {
    TransferVerticle transfer =
        new TransferVerticle(
            NodeConfig.builder().ephemeral().transports(java.util.List.of("tcp")).build());
    assertThat(whenDeployed(transfer, () -> transfer.transports().port())).isPositive();
  }
}
