package io.moonpool.gateway.admin;

import io.moonpool.master.api.CallObserver;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Call;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How often Mooncake's calls were made on the main port, and how often they failed. Any loop
 * counts, any thread reads.
 */
public final class CallCounts {
  private final Map<Call<?, ?>, Count> counts = new ConcurrentHashMap<>();

  /** Nothing was counted yet. */
  public CallCounts() {}

  /** What one call did. */
  static final class Count implements CallObserver {
    private final LongAdder requests = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder partial = new LongAdder();
    private final LongAdder items = new LongAdder();
    private final LongAdder failedItems = new LongAdder();

    long requests() {
      return requests.sum();
    }

    /** Those that failed, batches with every item. */
    long failures() {
      return failures.sum();
    }

    /** Batches of which some items failed. */
    long partial() {
      return partial.sum();
    }

    long items() {
      return items.sum();
    }

    long failedItems() {
      return failedItems.sum();
    }

    @Override
    public void ended(@Nullable Object result, @Nullable Throwable failure) {
      requests.increment();
      if (failure != null) {
        failures.increment();
      } else if (result instanceof List<?> batch
          && !batch.isEmpty()
          && batch.getFirst() instanceof Outcome) {
        addBatch(batch);
      }
    }

    private void addBatch(List<?> batch) {
      int failed = 0;
      for (Object each : batch) {
        failed += each instanceof Outcome<?> outcome && outcome.ok() ? 0 : 1;
      }
      items.add(batch.size());
      failedItems.add(failed);
      if (failed == batch.size()) {
        failures.increment();
      } else if (failed > 0) {
        partial.increment();
      }
    }
  }

  /** Counts a call; for {@link io.moonpool.master.api.CallTable#observe}. */
  public CallObserver observer(Call<?, ?> call) {
    return of(call);
  }

  /** What a call did so far. */
  Count of(Call<?, ?> call) {
    return counts.computeIfAbsent(call, ignored -> new Count());
  }
}
