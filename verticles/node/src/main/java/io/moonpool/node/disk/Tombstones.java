package io.moonpool.node.disk;

import io.moonpool.model.StoreException;
import io.moonpool.node.line.MasterLine;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.StoreResult;
import io.vertx.core.Future;

/** Makes records of the disk dead for good. */
final class Tombstones {
  private static final long RETRY_MILLIS = 1_000;

  private final BucketStore store;
  private final DiskWorkers workers;
  private final DiskStats stats;

  Tombstones(BucketStore store, DiskWorkers workers, DiskStats stats) {
    this.store = store;
    this.workers = workers;
    this.stats = stats;
  }

  /**
   * Completes when all of them are dead, also after a power cut. A disk that cannot be written is
   * tried again for as long as the line is up.
   */
  Future<Void> lay(long[] versions, MasterLine line) {
    if (versions.length == 0) {
      return Future.succeededFuture();
    }
    return workers
        .run(
            () -> {
              StoreResult result = store.tombstone(versions);
              if (!result.ok()) {
                throw new StoreException(result.code(), result.detail());
              }
              return result;
            })
        .<Void>mapEmpty()
        .onSuccess(laid -> stats.tombstones.add(versions.length))
        .recover(failure -> line.pause(RETRY_MILLIS).compose(over -> lay(versions, line)));
  }
}
