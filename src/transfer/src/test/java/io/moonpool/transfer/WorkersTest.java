package io.moonpool.transfer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkersTest {
  private final Vertx vertx = Vertx.vertx();
  private final Workers workers = new Workers(vertx, "workers-test", 1);

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, SECONDS);
  }

  @Test
  void whatWaitsForAThreadIsDoneBeforeTheyAreClosed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    List<Future<Integer>> given = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      given.add(
          workers.run(
              () -> {
                begun.countDown();
                try {
                  goOn.await();
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
                return number;
              }));
    }
    begun.await();
    Future<Void> closed = workers.close();
    assertThat(closed.isComplete()).isFalse();
    goOn.countDown();
    closed.await(10, SECONDS);
    assertThat(given).allMatch(Future::succeeded);
    assertThat(interrupted).hasValue(0);
  }

  @Test
  void takeNoMoreWorkOnceTheyAreClosed() throws Exception {
    workers.close().await(10, SECONDS);
    workers.close().await(10, SECONDS);
    assertThatThrownBy(() -> workers.run(() -> 1).await(10, SECONDS))
        .isInstanceOfSatisfying(
            StoreException.class,
            refused ->
                assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
  }

  /** Work that gives more work when it ends must not keep them open. */
  @Test
  void closeWhileWorkFollowsWork() throws Exception {
    Future<Integer> last = follow(0);
    workers.close().await(10, SECONDS);
    assertThatThrownBy(() -> last.await(10, SECONDS)).isInstanceOf(StoreException.class);
  }

  private Future<Integer> follow(int number) {
    return workers.run(() -> number + 1).compose(this::follow);
  }

  @Test
  void workThatFailsFailsItsFutureOnly() throws Exception {
    Future<Integer> failed =
        workers.run(
            () -> {
              throw new IllegalStateException("on purpose");
            });
    assertThatThrownBy(() -> failed.await(10, SECONDS)).hasMessage("on purpose");
    assertThat(workers.run(() -> 2).await(10, SECONDS)).isEqualTo(2);
    workers.close().await(10, SECONDS);
  }
}
