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
    IndexCore core = index.core;
    core.time(nowMillis);
    int row = core.findComplete(key);
    if (row == 0) {
      return finish(index, ErrorCode.OBJECT_NOT_FOUND);
    }
    if (core.objects.version(row) != version) {
      return finish(index, ErrorCode.INVALID_VERSION);
    }
    ErrorCode code =
        grantEndMillis > core.now() ? core.additions.check(row, extents) : ErrorCode.INVALID_PARAMS;
    if (code == ErrorCode.OK) {
      core.additions.start(row, extents, grantEndMillis, added);
    }
    return finish(index, code);
  }

  /** See {@link ReplicaAdditions#commit}. */
  static ErrorCode commit(
      ObjectIndex index, ObjectKey key, long version, long replicaId, long nowMillis) {
    IndexCore core = index.core;
    core.time(nowMillis);
    int row = core.findComplete(key);
    if (row == 0) {
      return finish(index, ErrorCode.OBJECT_NOT_FOUND);
    }
    if (core.objects.version(row) != version) {
      return finish(index, ErrorCode.INVALID_VERSION);
    }
    int replica = core.findReplica(row, replicaId);
    if (replica == 0) {
      return finish(index, ErrorCode.REPLICA_NOT_FOUND);
    }
    if (core.replicas.status(replica) != IndexCore.COMPLETE) {
      core.additions.commit(replica);
      core.settle(row);
    }
    return finish(index, ErrorCode.OK);
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
