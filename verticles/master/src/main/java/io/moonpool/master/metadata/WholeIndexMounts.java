package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.segment.SegmentChange;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * What a master must not do, for the rig that shows why: each segment that comes back is followed
 * by a walk over the whole index, in one go, under a lock when it is given one. Only the load test
 * of heartbeats runs a master with it.
 */
public final class WholeIndexMounts implements SegmentSubscriber {
  private final MetadataProxy metadata;
  private final Lock lock;

  /**
   * In front of the real subscriber.
   *
   * @param lock held during each walk
   */
  public WholeIndexMounts(MetadataProxy metadata, Lock lock) {
    this.metadata = metadata;
    this.lock = lock;
  }

  @Override
  public Future<Void> apply(List<SegmentChange> changes) {
    Future<Void> applied = metadata.apply(changes);
    int back = 0;
    for (SegmentChange change : changes) {
      if (change instanceof SegmentChange.ServingChanged serving && serving.serving()) {
        back++;
      }
    }
    int walks = back;
    return walks == 0
        ? applied
        : applied.compose(
            ignored ->
                metadata
                    .owners()
                    .command(
                        shards -> {
                          walk(shards, walks);
                          return Future.succeededFuture();
                        }));
  }

  private void walk(MetadataShards shards, int times) {
    lock.lock();
    try {
      for (int i = 0; i < times; i++) {
        shards
            .index()
            .walk(
                ObjectIndex.cursorOfShard(shards.firstShard()),
                shards.nowMillis(),
                () -> true,
                object -> true);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Future<Void> sweep(int slot, long generation) {
    return metadata.sweep(slot, generation);
  }
}
