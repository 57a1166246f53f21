package io.moonpool.node.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.parts.StagingPool;
import io.moonpool.client.parts.StagingPool.Staging;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.transfer.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedStagingTest {
  private static final long SLAB = 1 << 20;
  private static final int SLABS = 8;
  private static final long SMALL = SLAB / 16;
  private static final long WAIT_MILLIS = 400;

  private final Vertx vertx = Vertx.vertx();
  private final StagingPool pool =
      new StagingPool(new Workers(vertx, "shared-staging-test", 1), SLAB, (SLABS + 1) * SLAB);
  private final RestStats stats = new RestStats();
  private final SharedStaging staging = new SharedStaging(vertx, pool, stats, WAIT_MILLIS);
  private final io.vertx.core.Context loop = vertx.getOrCreateContext();
  private final AtomicInteger cuts = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Callable<T> body) {
    io.vertx.core.Promise<T> done = io.vertx.core.Promise.promise();
    loop.runOnContext(
        now -> {
          try {
            done.complete(body.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return await(done.future());
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(10, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private SharedStaging.User user(String peer, Object connection) {
    return staging.user(peer, connection, cuts::incrementAndGet);
  }

  private Future<Staging> take(SharedStaging.User user, long bytes) {
    return onLoop(() -> List.of(user.take(bytes))).getFirst();
  }

  private void release(Staging lent) {
    onLoop(
        () -> {
          lent.release();
          return 0;
        });
  }

  /** How many amounts users of that kind get who ask for more than there is. */
  private List<Staging> takeAll(String peer, boolean oneConnection, long bytes) {
    List<Future<Staging>> all = new ArrayList<>();
    Object connection = new Object();
    for (int i = 0; i < 20; i++) {
      all.add(take(user(peer, oneConnection ? connection : new Object()), bytes));
    }
    return all.stream().filter(Future::isComplete).map(SharedStagingTest::await).toList();
  }

  private void awaitSlabs() {
    // The first use of a slab allocates it on a worker.
    List<Staging> warm = new ArrayList<>();
    for (int i = 0; i < SLABS; i++) {
      warm.add(await(take(user("peer-" + i, new Object()), SLAB)));
    }
    warm.forEach(this::release);
  }

  @ParameterizedTest
  @ValueSource(longs = {SLAB, SMALL})
  void aPeerLeavesAQuarterForOthers(long bytes) {
    awaitSlabs();
    int all = bytes == SLAB ? SLABS : 16;
    List<Staging> held = takeAll("greedy", false, bytes);
    assertThat(held).hasSize(all - all / 4);
    assertThat(await(take(user("other", new Object()), bytes))).isNotNull();
  }

  @Test
  void aConnectionHasHalfAtMost() {
    awaitSlabs();
    assertThat(takeAll("greedy", true, SLAB)).hasSize(SLABS / 2);
  }

  @Test
  void whoHasNothingComesFirst() {
    awaitSlabs();
    List<SharedStaging.User> users = new ArrayList<>();
    List<Staging> held = new ArrayList<>();
    for (int i = 0; i < SLABS; i++) {
      users.add(user("peer-" + i, new Object()));
      held.add(await(take(users.get(i), SLAB)));
    }
    Future<Staging> more = take(users.getFirst(), SLAB);
    Future<Staging> first = take(user("late", new Object()), SLAB);
    release(held.get(1));
    assertThat(await(first)).isNotNull();
    assertThat(more.isComplete()).isFalse();
    release(held.get(2));
    assertThat(await(more)).isNotNull();
  }

  @Test
  void whoWaitsInVainIsToldSoAndWhoHasBegunIsNot() {
    awaitSlabs();
    List<SharedStaging.User> users = new ArrayList<>();
    List<Staging> held = new ArrayList<>();
    for (int i = 0; i < SLABS; i++) {
      users.add(user("peer-" + i, new Object()));
      held.add(await(take(users.get(i), SLAB)));
    }
    Future<Staging> begun = take(users.getFirst(), SLAB);
    Future<Staging> late = take(user("late", new Object()), SLAB);
    assertThatThrownBy(() -> await(late))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
              assertThat(e).hasMessageContaining("staging_bytes");
            });
    assertThat(begun.isComplete()).isFalse();
    assertThat(cuts).as("nobody keeps its peer waiting").hasValue(0);
    release(held.getLast());
    assertThat(await(begun)).isNotNull();
    assertThat(stats.stagingRefusals()).isOne();
  }

  @Test
  void whoseThePeerDoesNothingAreCutOffAndOnlyAsManyAsAreNeeded() {
    awaitSlabs();
    List<Staging> held = new ArrayList<>();
    for (int i = 0; i < SLABS; i++) {
      SharedStaging.User[] user = new SharedStaging.User[1];
      int number = i;
      user[0] =
          staging.user(
              "peer-" + i,
              new Object(),
              () -> {
                cuts.incrementAndGet();
                held.get(number).release();
              });
      held.add(await(take(user[0], SLAB)));
      onLoop(
          () -> {
            user[0].awaitPeer();
            return 0;
          });
    }
    Future<Staging> late = take(user("late", new Object()), SLAB);
    assertThat(await(late)).isNotNull();
    assertThat(cuts).hasValue(1);
    assertThat(stats.idleCuts()).isOne();
    assertThat(stats.stagingRefusals()).isZero();
  }
}
