package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;

/**
 * Keeping a replica in place while a task reads it, and taking replicas away: with {@link
 * ReplicaAdditions} the steps that copies and moves are made of.
 */
final class Replication {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;

  Replication(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
  }

  ErrorCode acquireSource(
      ObjectKey key, long replicaId, boolean replicating, long holdUntilMillis) {
    int row = core.findComplete(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    row = core.withoutOverdueWrite(row);
    if (objects.has(row, ObjectRows.UPSERTING)) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    if (replicating && objects.has(row, ObjectRows.REPLICATING)) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    int replica = core.findReplica(row, replicaId);
    if (replica == 0 || replicas.status(replica) != IndexCore.COMPLETE) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    int references = replicas.references(replica);
    if (references == ReplicaRows.MAX_REFERENCES) {
      return ErrorCode.OBJECT_REPLICA_BUSY;
    }
    replicas.references(replica, references + 1);
    core.hold(replica, holdUntilMillis);
    if (replicating) {
      objects.set(row, ObjectRows.REPLICATING);
    }
    core.settle(row);
    return ErrorCode.OK;
  }

  ErrorCode releaseSource(ObjectKey key, long version, long replicaId, boolean replicating) {
    int row = core.find(key);
    if (row == 0 || objects.version(row) != version) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (replicating) {
      objects.clear(row, ObjectRows.REPLICATING);
    }
    int replica = core.findReplica(row, replicaId);
    if (replica == 0 || replicas.references(replica) == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    int references = replicas.references(replica) - 1;
    replicas.references(replica, references);
    if (references == 0) {
      core.removeHold(replica);
    }
    core.settle(row);
    return ErrorCode.OK;
  }

  ErrorCode removeReplica(ObjectKey key, long replicaId) {
    int row = core.findComplete(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int replica = core.findReplica(row, replicaId);
    if (replica == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    if (replicas.type(replica) == IndexCore.LOCAL_DISK) {
      if (core.floors.refused()) {
        return ErrorCode.PERSISTENT_FAIL;
      }
      core.floors.raiseFor(replica, key.hash(), objects.version(row) + 1);
    }
    core.dropReplica(replica);
    core.settle(row);
    return ErrorCode.OK;
  }
}
