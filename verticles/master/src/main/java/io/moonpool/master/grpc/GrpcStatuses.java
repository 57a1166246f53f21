package io.moonpool.master.grpc;

import io.moonpool.model.ErrorCode;
import io.vertx.grpc.common.GrpcStatus;

/** The gRPC status of each error of the table. */
public final class GrpcStatuses {
  private GrpcStatuses() {}

  /** The status of a call that failed with that error. */
  public static GrpcStatus of(ErrorCode code) {
    return switch (code) {
      case OK -> GrpcStatus.OK;
      case INVALID_PARAMS, INVALID_KEY, BUFFER_OVERFLOW -> GrpcStatus.INVALID_ARGUMENT;
      case ILLEGAL_CLIENT -> GrpcStatus.PERMISSION_DENIED;
      case OBJECT_NOT_FOUND,
          SEGMENT_NOT_FOUND,
          CLIENT_NOT_FOUND,
          REPLICA_NOT_FOUND,
          TENANT_NOT_REGISTERED,
          TASK_NOT_FOUND,
          JOB_NOT_FOUND,
          BUCKET_NOT_FOUND ->
          GrpcStatus.NOT_FOUND;
      case OBJECT_ALREADY_EXISTS,
          SEGMENT_ALREADY_EXISTS,
          REPLICA_ALREADY_EXISTS,
          BUCKET_ALREADY_EXISTS ->
          GrpcStatus.ALREADY_EXISTS;
      case INVALID_VERSION,
          INVALID_WRITE,
          OBJECT_HAS_LEASE,
          LEASE_EXPIRED,
          OBJECT_HAS_REPLICATION_TASK,
          OBJECT_NO_REPLICATION_TASK,
          OBJECT_REPLICA_BUSY,
          REPLICA_IS_GONE,
          REPLICA_NOT_IN_LOCAL_MEMORY,
          TENANT_NOT_EMPTY,
          UNAVAILABLE_IN_CURRENT_MODE,
          UNABLE_OFFLOAD,
          UNABLE_OFFLOADING ->
          GrpcStatus.FAILED_PRECONDITION;
      case NO_AVAILABLE_HANDLE,
          TENANT_QUOTA_EXCEEDED,
          DFS_QUOTA_EXCEEDED,
          KEYS_ULTRA_LIMIT,
          TASK_PENDING_LIMIT_EXCEEDED ->
          GrpcStatus.RESOURCE_EXHAUSTED;
      case NOT_SUPPORTED -> GrpcStatus.UNIMPLEMENTED;
      case REPLICA_IS_NOT_READY, UNAVAILABLE_IN_CURRENT_STATUS, RPC_FAIL -> GrpcStatus.UNAVAILABLE;
      case RPC_TIMEOUT -> GrpcStatus.DEADLINE_EXCEEDED;
      case CHECKSUM_MISMATCH -> GrpcStatus.DATA_LOSS;
      case INTERNAL_ERROR,
          SHARD_INDEX_OUT_OF_RANGE,
          WRITE_FAIL,
          INVALID_READ,
          INVALID_REPLICA,
          TRANSFER_FAIL,
          ETCD_OPERATION_ERROR,
          ETCD_KEY_NOT_EXIST,
          ETCD_TRANSACTION_FAIL,
          ETCD_CTX_CANCELLED,
          OPLOG_ENTRY_NOT_FOUND,
          K8S_LEASE_OPERATION_ERROR,
          K8S_LEASE_NOT_FOUND,
          INCOMPLETE_OPLOG_CATCH_UP,
          FILE_NOT_FOUND,
          FILE_OPEN_FAIL,
          FILE_READ_FAIL,
          FILE_WRITE_FAIL,
          FILE_INVALID_BUFFER,
          FILE_LOCK_FAIL,
          FILE_INVALID_HANDLE,
          KEYS_EXCEED_BUCKET_LIMIT,
          SERIALIZE_UNSUPPORTED,
          SERIALIZE_FAIL,
          DESERIALIZE_FAIL,
          PERSISTENT_FAIL,
          DFS_NETWORK_TIMEOUT,
          DFS_SERVICE_UNAVAILABLE,
          DFS_PERMISSION_DENIED,
          DFS_STALE_HANDLE,
          DFS_PARTIAL_WRITE ->
          GrpcStatus.INTERNAL;
    };
  }
}
