package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.moonpool.transfer.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Sums values: up to one block at once on the caller's loop, more on a worker, so that the loop
 * goes on sending and receiving meanwhile. Call on the client's loop.
 */
final class SumWorker {
  private static final int THREADS = 2;

  private final Workers workers;

  SumWorker(Vertx vertx) {
    workers = new Workers(vertx, "moonpool-client-sums", THREADS);
  }

  /** The checksums of values. */
  Future<List<Checksum>> of(List<MemorySegment> values, long totalBytes) {
    if (totalBytes <= Checksum.BLOCK_BYTES) {
      return Future.succeededFuture(sums(values));
    }
    Callable<List<Checksum>> work = () -> sums(values);
    return workers.run(work);
  }

  /** See {@link ValueSums#matches}. */
  Future<Boolean> matches(Checksum sum, long offset, MemorySegment bytes) {
    if (bytes.byteSize() <= Checksum.BLOCK_BYTES) {
      return Future.succeededFuture(ValueSums.matches(sum, offset, bytes));
    }
    return workers.run(() -> ValueSums.matches(sum, offset, bytes));
  }

  private static List<Checksum> sums(List<MemorySegment> values) {
    List<Checksum> sums = new ArrayList<>(values.size());
    for (MemorySegment value : values) {
      sums.add(ValueSums.of(value));
    }
    return sums;
  }

  Future<Void> close() {
    return workers.close();
  }
}
