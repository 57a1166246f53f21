package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.model.ErrorCode;

/** The steps that transfers and promotions are made of, one by one. */
final class TestReplicas {
  private TestReplicas() {}

  /** See {@link ReplicaAdditions#start}. */
  static ErrorCode start(
      ObjectIndex index,
      ObjectKey key,
      long version,
      ExtentList extents,
      long grantEndMillis,
      long nowMillis,
      StartedWrite added) {
    index.core.time(nowMillis);
    return finish(index, index.core.additions.start(key, version, extents, grantEndMillis, added));
  }

  /** See {@link ReplicaAdditions#commit}. */
  static ErrorCode commit(
      ObjectIndex index, ObjectKey key, long version, long replicaId, long nowMillis) {
    index.core.time(nowMillis);
    return finish(index, index.core.additions.commit(key, version, replicaId));
  }

  /** Takes one replica away, be it complete or being added, and the object with its last one. */
  static ErrorCode remove(ObjectIndex index, ObjectKey key, long replicaId, long nowMillis) {
    IndexCore core = index.core;
    core.time(nowMillis);
    int row = core.findComplete(key);
    if (row == 0) {
      return finish(index, ErrorCode.OBJECT_NOT_FOUND);
    }
    int replica = core.findReplica(row, replicaId);
    if (replica == 0) {
      return finish(index, ErrorCode.REPLICA_NOT_FOUND);
    }
    core.dropReplica(replica);
    core.settle(row);
    return finish(index, ErrorCode.OK);
  }

  private static ErrorCode finish(ObjectIndex index, ErrorCode code) {
    index.core.groups.deliverSome();
    return code;
  }
}
