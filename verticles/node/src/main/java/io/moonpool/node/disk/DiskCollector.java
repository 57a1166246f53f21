package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.GcReport;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects a disk in short runs on its workers, one after the other, so that offloads and removals,
 * which wait while one runs, get their turns in between. Any thread.
 */
final class DiskCollector {
  private static final Logger LOG = LoggerFactory.getLogger(DiskCollector.class);
  private static final long RUN_BYTES = 64L << 20;
  private static final long READER_WAIT_MILLIS = 5_000;

  private final BucketStore store;
  private final DiskWorkers workers;
  private final long runBytes;
  private final AtomicReference<@Nullable DiskCollection> present = new AtomicReference<>();
  private volatile boolean stopped;

  /**
   * A collector that has nothing to do.
   *
   * @param bucketBytes the largest bucket that can hold more than one object: one run must be able
   *     to copy it
   */
  DiskCollector(BucketStore store, DiskWorkers workers, long bucketBytes) {
    this.store = store;
    this.workers = workers;
    this.runBytes = Math.max(RUN_BYTES, bucketBytes);
  }

  /** The collection that is under way, or the last one. */
  @Nullable DiskCollection present() {
    return present.get();
  }

  /** Starts one; see {@link LocalDisk#collect}. */
  Future<DiskCollection> start(double deadRatio) {
    if (!(deadRatio > 0 && deadRatio <= 1)) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS,
              "dead_ratio must be above 0 and at most 1, not " + deadRatio));
    }
    DiskCollection before = present.get();
    DiskCollection begun = DiskCollection.begun(deadRatio);
    if ((before != null && before.running()) || !present.compareAndSet(before, begun)) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
              "a collection of this disk is under way: wait for its end"));
    }
    run(begun);
    return Future.succeededFuture(begun);
  }

  /** Ends what is under way after the present run. */
  void stop() {
    stopped = true;
  }

  private void run(DiskCollection soFar) {
    workers
        .run(() -> store.collect(soFar.deadRatio(), runBytes, READER_WAIT_MILLIS))
        .onSuccess(report -> goOn(soFar.plus(report), report))
        .onFailure(
            failure ->
                end(
                    soFar.ended(
                        StoreException.codeOf(failure), String.valueOf(failure.getMessage()))));
  }

  private void goOn(DiskCollection soFar, GcReport report) {
    boolean progress = report.emptied() + report.rewritten() > 0;
    if (!report.result().ok()) {
      end(soFar.ended(report.result().code(), report.result().detail()));
    } else if (report.complete() || !progress) {
      end(soFar.ended(ErrorCode.OK, ""));
    } else if (stopped) {
      end(soFar.ended(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "the node is stopping"));
    } else {
      present.set(soFar);
      run(soFar);
    }
  }

  private void end(DiskCollection ended) {
    present.set(ended);
    LOG.info("the disk was collected: {}", ended);
  }
}
