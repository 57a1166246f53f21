package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;

/** Removing objects because somebody asked for it. */
final class Removals {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;

  Removals(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
  }

  ErrorCode remove(ObjectKey key, boolean force) {
    int row = core.shard(key).find(key);
    return row == 0 ? ErrorCode.OBJECT_NOT_FOUND : remove(row, force);
  }

  ErrorCode remove(int row, boolean force) {
    if (core.withoutOverdueWrite(row) == 0 || core.withoutDeadReplicas(row) == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int flags = objects.flags(row);
    boolean complete = (flags & ObjectRows.COMPLETE) != 0;
    if (complete && !force && objects.protectionEnd(row) > core.now()) {
      return ErrorCode.OBJECT_HAS_LEASE;
    }
    if (!complete || (flags & ObjectRows.UPSERTING) != 0) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    for (int r = objects.firstReplica(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.status(r) != IndexCore.COMPLETE) {
        return ErrorCode.REPLICA_IS_NOT_READY;
      }
    }
    if ((flags & ObjectRows.REPLICATING) != 0) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    core.dropReplicas(row);
    core.settle(row);
    core.stats.objectsRemoved++;
    return ErrorCode.OK;
  }
}
