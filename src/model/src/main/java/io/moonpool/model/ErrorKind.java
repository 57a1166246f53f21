package io.moonpool.model;

/**
 * What sort of failure an error is: as fine as protocols that have statuses of their own tell them
 * apart. HTTP and gRPC statuses follow from it, on masters and nodes alike.
 */
public enum ErrorKind {
  /** No failure. */
  NONE(200),
  /** The request is wrong, whatever the state of the pool. */
  INVALID(400),
  /** Somebody else may do it. */
  FORBIDDEN(403),
  /** What it is about does not exist. */
  NOT_FOUND(404),
  /** What it would make exists. */
  ALREADY_EXISTS(409),
  /** The state of what it is about does not allow it now. */
  CONFLICT(409),
  /** Too much at once. */
  LIMIT_EXCEEDED(429),
  /** It is not known here. */
  NOT_SUPPORTED(501),
  /** It may succeed when it is tried again. */
  UNAVAILABLE(503),
  /** No answer in time. */
  TIMEOUT(504),
  /** There is no space for it. */
  NO_SPACE(507),
  /** The value is not what was written. */
  DATA_LOSS(500),
  /** A fault on this side. */
  INTERNAL(500);

  private final int httpStatus;

  ErrorKind(int httpStatus) {
    this.httpStatus = httpStatus;
  }

  /** The status of an HTTP answer that carries such an error. */
  public int httpStatus() {
    return httpStatus;
  }

  /** The kind of an error. */
  public static ErrorKind of(ErrorCode code) {
    return switch (code) {
      case OK -> NONE;
      case INVALID_PARAMS, INVALID_KEY, BUFFER_OVERFLOW -> INVALID;
      case ILLEGAL_CLIENT -> FORBIDDEN;
      case OBJECT_NOT_FOUND,
          SEGMENT_NOT_FOUND,
          CLIENT_NOT_FOUND,
          REPLICA_NOT_FOUND,
          TENANT_NOT_REGISTERED,
          TASK_NOT_FOUND,
          JOB_NOT_FOUND,
          BUCKET_NOT_FOUND ->
          NOT_FOUND;
      case OBJECT_ALREADY_EXISTS,
          SEGMENT_ALREADY_EXISTS,
          REPLICA_ALREADY_EXISTS,
          BUCKET_ALREADY_EXISTS ->
          ALREADY_EXISTS;
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
          CONFLICT;
      case KEYS_ULTRA_LIMIT, TASK_PENDING_LIMIT_EXCEEDED -> LIMIT_EXCEEDED;
      case NOT_SUPPORTED -> NOT_SUPPORTED;
      case REPLICA_IS_NOT_READY, UNAVAILABLE_IN_CURRENT_STATUS, RPC_FAIL -> UNAVAILABLE;
      case RPC_TIMEOUT -> TIMEOUT;
      case NO_AVAILABLE_HANDLE, TENANT_QUOTA_EXCEEDED, DFS_QUOTA_EXCEEDED -> NO_SPACE;
      case CHECKSUM_MISMATCH -> DATA_LOSS;
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
          INTERNAL;
    };
  }
}
