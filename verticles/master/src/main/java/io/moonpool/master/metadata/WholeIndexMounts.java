package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.model.ReplicaDescriptor;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;

/**
 * What a master must not do, for the rig that shows why: each segment that comes back is followed
 * by a walk over the whole index, in one go, under a lock when it is given one. Only the load test
 * of heartbeats runs a master with it.
 */
public final class WholeIndexMounts implements SegmentSubscriber {
  private final MetadataProxy metadata;
  private final Lock lock;
  private final LongAdder attached = new LongAdder();

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
    Set<Long> back = new HashSet<>();
    for (SegmentChange change : changes) {
      if (change instanceof SegmentChange.ServingChanged serving && serving.serving()) {
        back.add(change.generation());
      }
    }
    return back.isEmpty()
        ? applied
        : applied.compose(
            ignored ->
                metadata
                    .owners()
                    .command(
                        shards -> {
                          walk(shards, back);
                          return Future.succeededFuture();
                        }));
  }

  /** Looks whether an object has a replica on what came back. Goes on in any case. */
  private boolean looked(List<ReplicaDescriptor> replicas, Set<Long> serving) {
    for (ReplicaDescriptor replica : replicas) {
      if (serving.contains(replica.generation())) {
        attached.increment();
      }
    }
    return true;
  }

  private void walk(MetadataShards shards, Set<Long> serving) {
    lock.lock();
    try {
      for (int i = 0; i < serving.size(); i++) {
        shards
            .index()
            .walk(
                ObjectIndex.cursorOfShard(shards.firstShard()),
                shards.nowMillis(),
                () -> true,
                object -> looked(object.replicas(), serving));
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
