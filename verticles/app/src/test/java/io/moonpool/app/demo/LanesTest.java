package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LanesTest {
  private final List<DemoObject> objects = DemoData.generated(64 << 20, 1);

  @Test
  void everyObjectIsTakenOnceByOneOfTheLanes() throws InterruptedException {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CyclicBarrier both = new CyclicBarrier(2);
    new Lanes(2, 100)
        .run(
            objects.subList(0, 2),
            (object, buffers) -> {
              seen.add(object.key());
              threads.add(Thread.currentThread());
              assertThat(buffers.ours().byteSize()).isEqualTo(100);
              assertThat(buffers.ours().asOverlappingSlice(buffers.theirs())).isEmpty();
              try {
                both.await(30, TimeUnit.SECONDS);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(seen).hasSize(2);
    assertThat(threads).hasSize(2);
  }

  @Test
  void theFirstFailureEndsAll() {
    AtomicInteger calls = new AtomicInteger();
    assertThatThrownBy(
            () ->
                new Lanes(1, 100)
                    .run(
                        objects,
                        (object, buffers) -> {
                          if (calls.incrementAndGet() == 3) {
                            throw new DemoFailure("broken");
                          }
                        }))
        .isInstanceOf(DemoFailure.class)
        .hasMessage("broken");
    assertThat(calls).hasValue(3);
  }
}
