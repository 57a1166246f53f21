package io.moonpool.master.metadata;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ObjectView;
import io.moonpool.core.index.Promotions;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.ReplicaTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Gives memory to the objects that a node shall bring back, when it asks for them and not before:
 * so none is held while the node is busy or away.
 */
final class PromotionStarter {
  private final MetadataShards shards;
  private final SegmentMount disk;
  private final long nowMillis;

  /** Whose node it is: that decides where it can write, and for how long it may. */
  private final ClientProtocol writer;

  PromotionStarter(MetadataShards shards, SegmentMount disk, long nowMillis) {
    this.shards = shards;
    this.disk = disk;
    this.nowMillis = nowMillis;
    this.writer = shards.segments().reach(disk.slot()).owner();
  }

  /**
   * Starts promotions.
   *
   * @param describe tells what the node must know of an object
   */
  List<PromotionTask> start(WorkRequest request, Function<ObjectView, DiskObject> describe) {
    List<PromotionTask> tasks = new ArrayList<>();
    Promotions promotions = shards.index().promotions();
    while (tasks.size() < request.maxPromotions()) {
      ObjectView next = promotions.next(disk.slot(), disk.generation(), nowMillis);
      if (next == null) {
        break;
      }
      DiskObject object = describe.apply(next);
      AllocationResult space = shards.allocate(request.place(), object.size(), hash(next), writer);
      if (space == AllocationResult.BUSY) {
        break; // it waits for the next call
      }
      if (space == AllocationResult.ALLOCATED) {
        start(promotions, object, tasks);
      } else {
        promotions.refuse(disk.slot(), disk.generation(), nowMillis);
      }
    }
    return tasks;
  }

  private static long hash(ObjectView object) {
    return KeyHash.of(object.tenant(), object.keyBytes(), 0, object.keyLength());
  }

  private void start(Promotions promotions, DiskObject object, List<PromotionTask> tasks) {
    ExtentList extents = shards.extents();
    long grantMillis = shards.writeGrantMillis(writer);
    ErrorCode code =
        promotions.start(
            disk.slot(),
            disk.generation(),
            extents,
            nowMillis + shards.heldMillis(writer),
            nowMillis,
            shards.started());
    if (code != ErrorCode.OK) {
      shards.giveBack();
      return;
    }
    ReplicaTarget target =
        new ReplicaTarget(
            shards.started().replicaId(0),
            extents.generation(0),
            extents.offsetUnits(0) * Extent.UNIT);
    tasks.add(new PromotionTask(object, target, grantMillis));
  }
}
