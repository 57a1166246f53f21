package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;

/** Removing objects because somebody asked for it. */
final class Removals {
  private final IndexCore core;

  Removals(IndexCore core) {
    this.core = core;
  }

  ErrorCode remove(ObjectKey key, boolean force) {
    Shard shard = core.shard(key);
    int row = shard.table.find(key);
    return row == 0 ? ErrorCode.OBJECT_NOT_FOUND : remove(shard, row, force);
  }

  ErrorCode remove(Shard shard, int row, boolean force) {
    dropOverdueWrite(shard, row);
    if (!shard.objects.has(row, ObjectRows.USED) || core.withoutDeadReplicas(shard, row) == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    ObjectRows objects = shard.objects;
    int flags = objects.flags(row);
    boolean complete = (flags & ObjectRows.COMPLETE) != 0;
    if (complete && !force && objects.protectionEnd(row) > core.now()) {
      return ErrorCode.OBJECT_HAS_LEASE;
    }
    if (!complete || (flags & ObjectRows.UPSERTING) != 0) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    for (int r = objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      if (shard.replicas.status(r) != IndexCore.COMPLETE) {
        return ErrorCode.REPLICA_IS_NOT_READY;
      }
    }
    if ((flags & ObjectRows.REPLICATING) != 0) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    core.dropReplicas(shard, row, core.touchedUntil(shard, row));
    core.settle(shard, row);
    core.stats.objectsRemoved++;
    return ErrorCode.OK;
  }

  /** Gives up a write that ran out of time, so that it does not stand in the way. */
  private void dropOverdueWrite(Shard shard, int row) {
    int flags = shard.objects.flags(row);
    int write = row;
    if ((flags & ObjectRows.COMPLETE) != 0) {
      write = (flags & ObjectRows.UPSERTING) == 0 ? 0 : shard.upserts.get(row);
    }
    if (write != 0 && core.now() > shard.objects.protectionEnd(write)) {
      core.abandon(shard, write);
      core.stats.writesDisplaced++;
    }
  }
}
