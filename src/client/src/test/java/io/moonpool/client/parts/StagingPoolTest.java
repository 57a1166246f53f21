package io.moonpool.client.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.parts.StagingPool.Staging;
import io.moonpool.transfer.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StagingPoolTest {
  private static final long SLAB = 1 << 20;

  private final Vertx vertx = Vertx.vertx();
  private final StagingPool pool =
      new StagingPool(new Workers(vertx, "staging-test", 1), SLAB, 3 * SLAB);

  @AfterEach
  void close() throws TimeoutException {
    pool.close().await(10, TimeUnit.SECONDS);
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private static <T> T await(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  @Test
  void whoComesWhenAllIsLentWaitsItsTurn() throws TimeoutException {
    Staging first = await(pool.take(SLAB));
    Staging second = await(pool.take(SLAB / 2));
    assertThat(second.memory().byteSize()).isEqualTo(SLAB / 2);
    Future<Staging> third = pool.take(SLAB);
    Future<Staging> fourth = pool.take(SLAB);
    assertThat(third.isComplete()).isFalse();
    long address = first.memory().address();
    first.release();
    assertThat(await(third).memory().address()).isEqualTo(address);
    assertThat(fourth.isComplete()).isFalse();
    second.release();
    await(fourth).release();
    third.result().release();
  }

  @Test
  void smallOnesShareABudget() throws TimeoutException {
    long small = SLAB / 16;
    Staging[] all = new Staging[16];
    for (int i = 0; i < 16; i++) {
      all[i] = await(pool.take(small));
      all[i].memory().fill((byte) i);
    }
    Future<Staging> next = pool.take(1);
    assertThat(next.isComplete()).isFalse();
    assertThat(all[3].memory().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 9)).isEqualTo((byte) 3);
    for (Staging each : all) {
      each.release();
    }
    await(next).release();
  }

  @Test
  void refusesWhatItCouldNeverLend() {
    assertThatThrownBy(() -> pool.take(SLAB + 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.take(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StagingPool(new Workers(vertx, "x", 1), SLAB, SLAB + 1))
        .hasMessageContaining("twice the part size");
  }

  @Test
  void lendsNothingOnceClosed() throws TimeoutException {
    await(pool.close());
    assertThatThrownBy(() -> await(pool.take(SLAB))).hasMessageContaining("closed");
  }
}
