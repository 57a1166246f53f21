package io.moonpool.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadSchedulingTest {
  /** A thread of its own: nice values go up without privilege, not down again. */
  private static <T> T onThread(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().daemon().start(task);
    return task.get(10, TimeUnit.SECONDS);
  }

  @Test
  void setsTheNiceValueOfOneThread() throws Exception {
    ThreadScheduling before = ThreadScheduling.ofCurrentThread();
    ThreadScheduling changed =
        onThread(
            () -> {
              ThreadScheduling.ofCurrentThread().withNice(19).applyToCurrentThread();
              return ThreadScheduling.ofCurrentThread();
            });
    assertThat(changed.nice()).isEqualTo(19);
    assertThat(ThreadScheduling.ofCurrentThread()).isEqualTo(before);
  }

  @Test
  void asksForAShortSlice() throws Exception {
    ThreadScheduling changed =
        onThread(
            () -> {
              ThreadScheduling.ofCurrentThread().withSliceNanos(200_000).applyToCurrentThread();
              return ThreadScheduling.ofCurrentThread();
            });
    // Kernels before 6.12 accept and forget it.
    assertThat(changed.sliceNanos()).isIn(200_000L, 0L);
    assertThat(changed.policy()).isZero();
  }

  @Test
  void checksTheValues() {
    ThreadScheduling normal = new ThreadScheduling(0, 0, 0);
    assertThatThrownBy(() -> normal.withNice(20)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> normal.withNice(-21)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> normal.withSliceNanos(99_999))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> normal.withSliceNanos(100_000_001))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesTheErrorOfAnImpossiblePolicy() {
    assertThatThrownBy(() -> onThread(ThreadSchedulingTest::applyImpossible))
        .hasRootCauseInstanceOf(LibcException.class)
        .rootCause()
        .hasMessageContaining("EINVAL");
  }

  private static Void applyImpossible() {
    new ThreadScheduling(1234, 0, 0).applyToCurrentThread();
    return null;
  }

  @Test
  void refusesVirtualThreads() {
    assertThatThrownBy(
            () -> {
              FutureTask<ThreadScheduling> task =
                  new FutureTask<>(ThreadScheduling::ofCurrentThread);
              Thread.ofVirtual().start(task);
              task.get(10, TimeUnit.SECONDS);
            })
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }
}
