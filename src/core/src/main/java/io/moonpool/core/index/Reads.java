package io.moonpool.core.index;

import io.moonpool.core.allocation.Extent;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;

/** Locating objects and leasing them to readers. */
final class Reads {
  private final IndexCore core;

  Reads(IndexCore core) {
    this.core = core;
  }

  ErrorCode locate(ObjectKey key, LocationSink sink) {
    Shard shard = core.shard(key);
    int row = shard.table.find(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    ObjectRows objects = shard.objects;
    ReplicaRows replicas = shard.replicas;
    boolean found = false;
    if (objects.has(row, ObjectRows.COMPLETE)) {
      for (int r = objects.firstReplica(row); r != 0; r = replicas.nextOfObject(r)) {
        if (!isReadable(shard, r)) {
          continue;
        }
        if (!found) {
          found = true;
          sink.object(
              objects.version(row),
              objects.size(row),
              ChecksumKind.ofNumber(objects.checksumKind(row)),
              objects.checksum(row),
              shard.blockChecksums(row));
        }
        sink.replica(
            replicas.id(r),
            ReplicaType.ofNumber(replicas.type(r)),
            core.slots.generation(replicas.slot(r)),
            replicas.offsetUnits(r) * Extent.UNIT);
      }
    }
    if (!found) {
      int left = core.withoutDeadReplicas(shard, row);
      return left == 0 || core.isOverdue(shard, left)
          ? ErrorCode.OBJECT_NOT_FOUND
          : ErrorCode.REPLICA_IS_NOT_READY;
    }
    core.lease(shard, row);
    return ErrorCode.OK;
  }

  boolean exists(ObjectKey key) {
    Shard shard = core.shard(key);
    int row = shard.table.find(key);
    if (row == 0 || !shard.objects.has(row, ObjectRows.COMPLETE)) {
      return false;
    }
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      if (isReadable(shard, r)) {
        core.lease(shard, row);
        return true;
      }
    }
    return false;
  }

  /** A completed replica on a segment whose node is heard from. */
  private boolean isReadable(Shard shard, int replica) {
    ReplicaRows replicas = shard.replicas;
    int slot = replicas.slot(replica);
    return replicas.status(replica) == IndexCore.COMPLETE
        && core.segments.isServed(slot, core.slots.generation(slot));
  }
}
