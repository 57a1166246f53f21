package io.moonpool.master;

import io.moonpool.model.Outcome;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Counts calls, their items and their failures. Any thread; counting takes no lock. */
final class CallMeters {
  private final Map<MasterCall, Meter> meters = new EnumMap<>(MasterCall.class);

  CallMeters() {
    for (MasterCall call : MasterCall.values()) {
      meters.put(call, new Meter());
    }
  }

  /** Counts a call with one item. */
  <T> Future<T> count(MasterCall call, Future<T> answer) {
    Meter meter = meter(call);
    meter.requests.increment();
    meter.items.increment();
    return answer.onFailure(
        ignored -> {
          meter.failedRequests.increment();
          meter.failedItems.increment();
        });
  }

  /** Has a batch done, and counts it and the time that it takes. */
  <T> Future<List<Outcome<T>>> countBatch(
      MasterCall call, int items, Supplier<Future<List<Outcome<T>>>> batch) {
    long sinceNanos = System.nanoTime();
    Future<List<Outcome<T>>> answer = batch.get();
    Meter meter = meter(call);
    meter.requests.increment();
    meter.items.add(items);
    if (answer.isComplete() && answer.succeeded()) {
      meter.times.add(System.nanoTime() - sinceNanos);
      meter.outcomes(answer.result());
      return answer;
    }
    return answer.onComplete(
        done -> {
          meter.times.add(System.nanoTime() - sinceNanos);
          if (done.succeeded()) {
            meter.outcomes(done.result());
          } else {
            meter.failedRequests.increment();
            meter.failedItems.add(items);
          }
        });
  }

  private Meter meter(MasterCall call) {
    Meter meter = meters.get(call);
    if (meter == null) {
      throw new IllegalStateException(call + " has no meter");
    }
    return meter;
  }

  /** How long batches of that call took. */
  CallTimes times(MasterCall call) {
    return meter(call).times.read();
  }

  Map<MasterCall, MasterStats.CallCounts> counts() {
    Map<MasterCall, MasterStats.CallCounts> counts = new EnumMap<>(MasterCall.class);
    meters.forEach(
        (call, meter) ->
            counts.put(
                call,
                new MasterStats.CallCounts(
                    meter.requests.sum(),
                    meter.items.sum(),
                    meter.failedRequests.sum(),
                    meter.failedItems.sum())));
    return counts;
  }

  private static final class Meter {
    final LongAdder requests = new LongAdder();
    final LongAdder items = new LongAdder();
    final LongAdder failedRequests = new LongAdder();
    final LongAdder failedItems = new LongAdder();
    final CallTimer times = new CallTimer();

    <T> void outcomes(List<Outcome<T>> outcomes) {
      int failed = 0;
      for (int i = 0; i < outcomes.size(); i++) {
        if (!outcomes.get(i).ok()) {
          failed++;
        }
      }
      if (failed > 0) {
        failedItems.add(failed);
        if (failed == outcomes.size()) {
          failedRequests.increment();
        }
      }
    }
  }
}
