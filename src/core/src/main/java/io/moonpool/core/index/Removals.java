package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;

/** Removing objects because somebody asked for it. */
final class Removals {
  private final IndexCore core;
  private final ObjectRows objects;

  Removals(IndexCore core) {
    this.core = core;
    objects = core.objects;
  }

  ErrorCode remove(ObjectKey key, boolean force) {
    int row = core.shard(key).find(key);
    ErrorCode code = row == 0 ? ErrorCode.OBJECT_NOT_FOUND : remove(row, key.hash(), force);
    return code == ErrorCode.OBJECT_NOT_FOUND ? removeUnknown(key) : code;
  }

  /** Not in the index, but a disk that is absent or an offload may still bring it. */
  private ErrorCode removeUnknown(ObjectKey key) {
    if (core.floors.needed(0, key.hash())) {
      if (core.floors.refused()) {
        return ErrorCode.PERSISTENT_FAIL;
      }
      core.floors.raise(0, key.hash(), core.shard(key).nextVersion());
    }
    return ErrorCode.OBJECT_NOT_FOUND;
  }

  ErrorCode remove(int row, long hash, boolean force) {
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
    if (core.transfers.isInTheWay(row)) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    if (core.floors.needed(row, hash)) {
      if (core.floors.refused()) {
        return ErrorCode.PERSISTENT_FAIL;
      }
      core.floors.raise(row, hash, objects.version(row) + 1);
    }
    core.dropReplicas(row);
    core.settle(row);
    core.stats.objectsRemoved++;
    return ErrorCode.OK;
  }
}
