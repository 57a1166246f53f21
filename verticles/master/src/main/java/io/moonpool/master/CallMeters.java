package io.moonpool.master;

import io.moonpool.model.Outcome;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

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

  /** Counts a batch. */
  <T> Future<List<Outcome<T>>> countBatch(
      MasterCall call, int items, Future<List<Outcome<T>>> answer) {
    Meter meter = meter(call);
    meter.requests.increment();
    meter.items.add(items);
    if (answer.isComplete() && answer.succeeded()) {
      meter.outcomes(answer.result());
      return answer;
    }
    return answer.onComplete(
        done -> {
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
