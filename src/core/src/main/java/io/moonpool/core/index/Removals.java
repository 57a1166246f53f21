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
    if (core.withoutOverdueWrite(shard, row) == 0 || core.withoutDeadReplicas(shard, row) == 0) {
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
    core.dropReplicas(shard, row);
    core.settle(shard, row);
    core.stats.objectsRemoved++;
    return ErrorCode.OK;
  }
}
