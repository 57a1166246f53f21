package io.moonpool.core.index;

import io.moonpool.core.allocation.Extent;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;

/** Locating objects and leasing them to readers. */
final class Reads {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;

  Reads(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
  }

  ErrorCode locate(ObjectKey key, LocationSink sink) {
    int row = core.shard(key).find(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    boolean found = false;
    boolean inMemory = false;
    if (objects.has(row, ObjectRows.COMPLETE)) {
      for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
        inMemory |= replicas.type(r) == IndexCore.MEMORY;
        if (!isReadable(r)) {
          continue;
        }
        if (!found) {
          found = true;
          sink.object(
              objects.version(row),
              objects.size(row),
              ChecksumKind.ofNumber(objects.checksumKind(row)),
              objects.checksum(row),
              core.blockChecksums(row));
        }
        sink.replica(
            core.replicaId(r),
            ReplicaType.ofNumber(replicas.type(r)),
            core.slots.generation(replicas.slot(r)),
            replicas.offsetUnits(r) * Extent.UNIT);
      }
    }
    if (!found) {
      int left = core.withoutDeadReplicas(row);
      return left == 0 || core.isOverdue(left)
          ? ErrorCode.OBJECT_NOT_FOUND
          : ErrorCode.REPLICA_IS_NOT_READY;
    }
    core.lease(row);
    if (!inMemory && core.promotions.enabled()) {
      core.promotions.read(key, row);
    }
    return ErrorCode.OK;
  }

  boolean exists(ObjectKey key) {
    int row = core.shard(key).find(key);
    if (row == 0 || !objects.has(row, ObjectRows.COMPLETE)) {
      return false;
    }
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (isReadable(r)) {
        core.lease(row);
        return true;
      }
    }
    return false;
  }

  /** A completed replica on a segment whose node is heard from. */
  private boolean isReadable(int replica) {
    int slot = replicas.slot(replica);
    return replicas.status(replica) == IndexCore.COMPLETE
        && core.segments.isServed(slot, core.slots.generation(slot));
  }
}
