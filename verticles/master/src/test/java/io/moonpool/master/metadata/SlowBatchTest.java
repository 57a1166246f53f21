package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch whose items take far longer than look-ups usually do. */
class SlowBatchTest {
  private static final int ITEMS = 256;
  private static final long ITEM_NANOS = 100_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private MasterLoops loops;
  private MetadataProxy metadata;

  @BeforeEach
  void start() throws Exception {
    loops = MasterLoops.build("test", 1, 1024, new VertxOptions(), UnaryOperator.identity());
    SegmentRegistry registry = new SegmentRegistry(5, AllocationStrategy.RANDOM);
    long startedNanos = System.nanoTime();
    metadata =
        new MetadataProxy(
            MasterConfig.builder().ephemeral().build(),
            loops.metadata(),
            () -> (System.nanoTime() - startedNanos) / 1_000_000,
            registry.placement(),
            registry.usage(),
            generation -> null,
            1000,
            new HeldJournal(),
            new JournalState(),
            disk -> {});
    for (MetadataVerticle owner : metadata.verticles()) {
      done(loops.deploy(owner.loop(), owner));
    }
  }

  @AfterEach
  void stop() throws Exception {
    done(loops.close());
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** Counts its items; something else wants the loop from the first one on. */
  private final class SlowCall extends KeyedCall<Integer> {
    private int items;

    /** How many items were done when the other had its turn. */
    private int before = ITEMS;

    SlowCall(KeyBatch keys) {
      super(0, keys);
    }

    @Override
    boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
      if (items++ == 0) {
        shards.loop().queue().post(() -> before = items);
      }
      long end = THREADS.getCurrentThreadCpuTime() + ITEM_NANOS;
      while (THREADS.getCurrentThreadCpuTime() < end) {
        Thread.onSpinWait();
      }
      succeed(index, index);
      return true;
    }
  }

  @Test
  void letsOthersHaveTheirTurnThoughItIsSmall() throws Exception {
    SlowCall call =
        new SlowCall(KeyBatch.of(IntStream.range(0, ITEMS).mapToObj(i -> "key" + i).toList()));
    List<Outcome<Integer>> results = done(metadata.owners().run(call));
    assertThat(call.items).isEqualTo(ITEMS);
    assertThat(results)
        .extracting(Outcome::value)
        .isEqualTo(IntStream.range(0, ITEMS).boxed().toList());
    // A step at once, one in the slice, and one of the sweep, whose timer comes first.
    assertThat(call.before).isLessThanOrEqualTo(ITEMS / 2);
  }
}
