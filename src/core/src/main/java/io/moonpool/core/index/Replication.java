package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;

/**
 * Adding replicas to objects that are there and taking them away, and keeping a replica in place
 * while a task reads it: the steps that copies, moves, offloads and promotions are made of.
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
    int row = completeRow(key);
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

  ErrorCode addReplica(
      ObjectKey key,
      long version,
      ReplicaType type,
      int slot,
      long generation,
      long offsetUnits,
      int node,
      long grantEndMillis,
      StartedWrite added) {
    int row = completeRow(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (objects.version(row) != version) {
      return ErrorCode.INVALID_VERSION;
    }
    if (!core.segments.isLive(slot, generation)) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    int last = 0;
    for (int r = objects.firstReplica(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.slot(r) == slot) {
        return ErrorCode.REPLICA_ALREADY_EXISTS;
      }
      last = r;
    }
    boolean complete = grantEndMillis <= core.now();
    int replica =
        core.addReplica(
            row,
            last,
            type.number(),
            complete ? IndexCore.COMPLETE : IndexCore.PROCESSING,
            slot,
            generation,
            offsetUnits,
            node);
    if (!complete) {
      core.hold(replica, grantEndMillis);
    }
    core.settle(row);
    added.begin(version);
    added.add(core.replicaId(replica));
    return ErrorCode.OK;
  }

  ErrorCode completeReplica(ObjectKey key, long replicaId) {
    int row = completeRow(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int replica = core.findReplica(row, replicaId);
    if (replica == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    if (replicas.status(replica) != IndexCore.COMPLETE) {
      replicas.status(replica, IndexCore.COMPLETE);
      core.removeHold(replica);
      core.settle(row);
    }
    return ErrorCode.OK;
  }

  ErrorCode removeReplica(ObjectKey key, long replicaId) {
    int row = completeRow(key);
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

  /** The row of an object with a completed write of which some segment has a replica, or 0. */
  private int completeRow(ObjectKey key) {
    int row = core.find(key);
    return row != 0 && objects.has(row, ObjectRows.COMPLETE) ? row : 0;
  }
}
