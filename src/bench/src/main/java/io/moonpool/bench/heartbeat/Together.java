package io.moonpool.bench.heartbeat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Does many things at once, each on a thread of its own. */
final class Together {
  private Together() {}

  /** Starts all and waits for all; throws what the first of them to fail did. */
  static <T> List<T> run(List<Callable<T>> tasks) throws InterruptedException {
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> task : tasks) {
      FutureTask<T> future = new FutureTask<>(task);
      Thread.ofPlatform().daemon().name("storm-" + futures.size()).start(future);
      futures.add(future);
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new IllegalStateException("a client of the storm failed", e.getCause());
      }
    }
    return results;
  }
}
