package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;

/**
 * Adding replicas to objects that are there and taking them away, and keeping a replica in place
 * while a task reads it: the steps that copies, moves, offloads and promotions are made of.
 */
final class Replication {
  private final IndexCore core;

  Replication(IndexCore core) {
    this.core = core;
  }

  ErrorCode acquireSource(
      ObjectKey key, long replicaId, boolean replicating, long holdUntilMillis) {
    Shard shard = core.shard(key);
    int row = completeRow(shard, key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    row = core.withoutOverdueWrite(shard, row);
    if (shard.objects.has(row, ObjectRows.UPSERTING)) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    if (replicating && shard.objects.has(row, ObjectRows.REPLICATING)) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    int replica = find(shard, row, replicaId);
    if (replica == 0 || shard.replicas.status(replica) != IndexCore.COMPLETE) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    int references = shard.replicas.references(replica);
    if (references == ReplicaRows.MAX_REFERENCES) {
      return ErrorCode.OBJECT_REPLICA_BUSY;
    }
    shard.replicas.references(replica, references + 1);
    shard.hold(replica, holdUntilMillis);
    if (replicating) {
      shard.objects.set(row, ObjectRows.REPLICATING);
    }
    core.settle(shard, row);
    return ErrorCode.OK;
  }

  ErrorCode releaseSource(ObjectKey key, long version, long replicaId, boolean replicating) {
    Shard shard = core.shard(key);
    int row = core.find(shard, key);
    if (row == 0 || shard.objects.version(row) != version) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (replicating) {
      shard.objects.clear(row, ObjectRows.REPLICATING);
    }
    int replica = find(shard, row, replicaId);
    if (replica == 0 || shard.replicas.references(replica) == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    int references = shard.replicas.references(replica) - 1;
    shard.replicas.references(replica, references);
    if (references == 0) {
      shard.removeHold(replica);
    }
    core.settle(shard, row);
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
    Shard shard = core.shard(key);
    int row = completeRow(shard, key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (shard.objects.version(row) != version) {
      return ErrorCode.INVALID_VERSION;
    }
    if (!core.segments.isLive(slot, generation)) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    int last = 0;
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      if (shard.replicas.slot(r) == slot) {
        return ErrorCode.REPLICA_ALREADY_EXISTS;
      }
      last = r;
    }
    boolean complete = grantEndMillis <= core.now();
    int replica =
        core.addReplica(
            shard,
            row,
            last,
            type.number(),
            complete ? IndexCore.COMPLETE : IndexCore.PROCESSING,
            slot,
            generation,
            offsetUnits,
            node);
    if (!complete) {
      shard.hold(replica, grantEndMillis);
    }
    core.settle(shard, row);
    added.begin(version);
    added.add(shard.replicas.id(replica));
    return ErrorCode.OK;
  }

  ErrorCode completeReplica(ObjectKey key, long replicaId) {
    Shard shard = core.shard(key);
    int row = completeRow(shard, key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int replica = find(shard, row, replicaId);
    if (replica == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    if (shard.replicas.status(replica) != IndexCore.COMPLETE) {
      shard.replicas.status(replica, IndexCore.COMPLETE);
      shard.removeHold(replica);
      core.settle(shard, row);
    }
    return ErrorCode.OK;
  }

  ErrorCode removeReplica(ObjectKey key, long replicaId) {
    Shard shard = core.shard(key);
    int row = completeRow(shard, key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int replica = find(shard, row, replicaId);
    if (replica == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    core.dropReplica(shard, replica);
    core.settle(shard, row);
    return ErrorCode.OK;
  }

  /** The row of an object with a completed write of which some segment has a replica, or 0. */
  private int completeRow(Shard shard, ObjectKey key) {
    int row = core.find(shard, key);
    return row != 0 && shard.objects.has(row, ObjectRows.COMPLETE) ? row : 0;
  }

  private static int find(Shard shard, int row, long replicaId) {
    int r = shard.objects.firstReplica(row);
    while (r != 0 && shard.replicas.id(r) != replicaId) {
      r = shard.replicas.nextOfObject(r);
    }
    return r;
  }
}
