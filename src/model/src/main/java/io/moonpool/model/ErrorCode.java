package io.moonpool.model;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one error table: the same name and number on frames, gRPC, REST and the event bus. Names and
 * numbers are those that clients of the reference system know.
 */
public enum ErrorCode {
  /** Success. */
  OK(0, "success", "nothing to do"),
  /** Internal fault. */
  INTERNAL_ERROR(
      -1,
      "internal fault",
      "this is a bug or an overload: see the log of the process that answered"),
  /** The caller's buffer is too small. */
  BUFFER_OVERFLOW(
      -10, "the caller's buffer is too small", "pass a buffer of at least the object's size"),
  /** Shard index out of range. */
  SHARD_INDEX_OUT_OF_RANGE(-100, "shard index out of range", "this is a bug: report it"),
  /** Unknown segment. */
  SEGMENT_NOT_FOUND(-101, "unknown segment", "list the segments, and mount it first"),
  /** The segment is already mounted. */
  SEGMENT_ALREADY_EXISTS(
      -102, "the segment is already mounted", "use another segment id, or unmount it first"),
  /** Unknown client. */
  CLIENT_NOT_FOUND(-103, "unknown client", "list the clients; the node may have to register again"),
  /** No segment has room for the object. */
  NO_AVAILABLE_HANDLE(
      -200,
      "no segment has room for the object",
      "add memory, remove objects, or put a smaller object"),
  /** Version mismatch. */
  INVALID_VERSION(-300, "version mismatch", "read the current version and try again"),
  /** Invalid key. */
  INVALID_KEY(-400, "invalid key", "use a key of 1 to 65535 bytes of UTF-8"),
  /** The write failed. */
  WRITE_FAIL(-500, "the write failed", "try again"),
  /** Invalid parameters. */
  INVALID_PARAMS(-600, "invalid parameters", "correct the request"),
  /** The caller does not own this write or task. */
  ILLEGAL_CLIENT(
      -601,
      "the caller does not own this write or task",
      "another client started it, or has taken its place since: start it again"),
  /** No write is in progress for this object. */
  INVALID_WRITE(-700, "no write is in progress for this object", "start the write again"),
  /** The read is not possible. */
  INVALID_READ(-701, "the read is not possible", "try again"),
  /** No usable replica. */
  INVALID_REPLICA(-702, "no usable replica", "try again, or put the object anew"),
  /** The object exists but no replica can be read now. */
  REPLICA_IS_NOT_READY(
      -703,
      "the object exists but no replica can be read now",
      "try again: its write is in progress or its node is not heard from"),
  /** No such object. */
  OBJECT_NOT_FOUND(-704, "no such object", "check key and tenant, or put it first"),
  /** The object already exists. */
  OBJECT_ALREADY_EXISTS(
      -705, "the object already exists", "objects are immutable: use upsert, or remove it first"),
  /** The object is under a read lease. */
  OBJECT_HAS_LEASE(
      -706,
      "the object is under a read lease",
      "try again when the lease has run out, or force the removal"),
  /** The lease ran out before the transfer finished. */
  LEASE_EXPIRED(-707, "the lease ran out before the transfer finished", "read again"),
  /** A copy or move of the object is in progress. */
  OBJECT_HAS_REPLICATION_TASK(
      -708, "a copy or move of the object is in progress", "try again when it has finished"),
  /** No copy or move of the object is in progress. */
  OBJECT_NO_REPLICATION_TASK(
      -709, "no copy or move of the object is in progress", "start it first"),
  /** No such replica. */
  REPLICA_NOT_FOUND(-710, "no such replica", "list the object's replicas"),
  /** The target already holds a replica. */
  REPLICA_ALREADY_EXISTS(-711, "the target already holds a replica", "choose another target"),
  /** Source or target vanished during the copy or move. */
  REPLICA_IS_GONE(-712, "source or target vanished during the copy or move", "start it again"),
  /** The replica is not in this node's memory. */
  REPLICA_NOT_IN_LOCAL_MEMORY(
      -713, "the replica is not in this node's memory", "ask the node that holds it"),
  /** A replica of the object is in use. */
  OBJECT_REPLICA_BUSY(-714, "a replica of the object is in use", "try again"),
  /** The transfer failed. */
  TRANSFER_FAIL(-800, "the transfer failed", "try again; see the log of both peers"),
  /** The bytes do not match their checksum. */
  CHECKSUM_MISMATCH(
      -801,
      "the bytes do not match their checksum",
      "another replica may be intact; otherwise put the object anew"),
  /** The peer cannot be reached. */
  RPC_FAIL(-900, "the peer cannot be reached", "check address and that the process runs"),
  /** The peer did not answer in time. */
  RPC_TIMEOUT(
      -901, "the peer did not answer in time", "try again; the operation may have happened"),
  /** Coordinator operation failed. */
  ETCD_OPERATION_ERROR(-1000, "coordinator operation failed", "check the coordinator"),
  /** Coordinator key does not exist. */
  ETCD_KEY_NOT_EXIST(-1001, "coordinator key does not exist", "check the coordinator"),
  /** Coordinator transaction failed. */
  ETCD_TRANSACTION_FAIL(-1002, "coordinator transaction failed", "try again"),
  /** Coordinator call was cancelled. */
  ETCD_CTX_CANCELLED(-1003, "coordinator call was cancelled", "try again"),
  /** Log entry not found. */
  OPLOG_ENTRY_NOT_FOUND(-1004, "log entry not found", "see the log"),
  /** Kubernetes lease operation failed. */
  K8S_LEASE_OPERATION_ERROR(-1005, "Kubernetes lease operation failed", "check the API server"),
  /** Kubernetes lease not found. */
  K8S_LEASE_NOT_FOUND(-1006, "Kubernetes lease not found", "check the API server"),
  /** The standby has not applied the whole log. */
  INCOMPLETE_OPLOG_CATCH_UP(
      -1007, "the standby has not applied the whole log", "wait and try again"),
  /** Not possible in the current status. */
  UNAVAILABLE_IN_CURRENT_STATUS(
      -1010,
      "not possible in the current status",
      "see the status of segment or client, and try again later"),
  /** The feature is off. */
  UNAVAILABLE_IN_CURRENT_MODE(-1011, "the feature is off", "switch it on in the configuration"),
  /** Not supported. */
  NOT_SUPPORTED(-1012, "not supported", "see the documentation"),
  /** File not found. */
  FILE_NOT_FOUND(-1100, "file not found", "check the storage directory"),
  /** File cannot be opened. */
  FILE_OPEN_FAIL(-1101, "file cannot be opened", "check the storage directory and its permissions"),
  /** File cannot be read. */
  FILE_READ_FAIL(-1102, "file cannot be read", "check the disk"),
  /** File cannot be written. */
  FILE_WRITE_FAIL(-1103, "file cannot be written", "check the disk and its free space"),
  /** Invalid buffer for file I/O. */
  FILE_INVALID_BUFFER(-1104, "invalid buffer for file I/O", "this is a bug: report it"),
  /** File cannot be locked. */
  FILE_LOCK_FAIL(-1105, "file cannot be locked", "another process owns the directory"),
  /** Invalid file handle. */
  FILE_INVALID_HANDLE(-1106, "invalid file handle", "this is a bug: report it"),
  /** Bucket not found. */
  BUCKET_NOT_FOUND(-1200, "bucket not found", "see the node's log"),
  /** Bucket already exists. */
  BUCKET_ALREADY_EXISTS(-1201, "bucket already exists", "see the node's log"),
  /** Too many keys for a bucket. */
  KEYS_EXCEED_BUCKET_LIMIT(-1202, "too many keys for a bucket", "see the node's log"),
  /** Key or queue limit reached. */
  KEYS_ULTRA_LIMIT(-1203, "key or queue limit reached", "try again later"),
  /** Offload is off on the master. */
  UNABLE_OFFLOAD(-1300, "offload is off on the master", "set offload_enabled"),
  /** This node accepts no offloads. */
  UNABLE_OFFLOADING(-1301, "this node accepts no offloads", "see the node's log"),
  /** No such task. */
  TASK_NOT_FOUND(-1400, "no such task", "it may have been pruned: list the tasks"),
  /** Too many pending tasks. */
  TASK_PENDING_LIMIT_EXCEEDED(-1401, "too many pending tasks", "try again later"),
  /** No such job. */
  JOB_NOT_FOUND(-1402, "no such job", "list the jobs"),
  /** Cannot be serialised. */
  SERIALIZE_UNSUPPORTED(-1500, "cannot be serialised", "see the log"),
  /** Serialisation failed. */
  SERIALIZE_FAIL(-1501, "serialisation failed", "see the log"),
  /** Deserialisation failed. */
  DESERIALIZE_FAIL(-1502, "deserialisation failed", "check the client's version"),
  /** The change could not be made durable. */
  PERSISTENT_FAIL(-1503, "the change could not be made durable", "check the disk"),
  /** File system timeout. */
  DFS_NETWORK_TIMEOUT(-1600, "file system timeout", "check the file system"),
  /** File system unavailable. */
  DFS_SERVICE_UNAVAILABLE(-1601, "file system unavailable", "check the file system"),
  /** File system quota exceeded. */
  DFS_QUOTA_EXCEEDED(-1602, "file system quota exceeded", "check the file system"),
  /** File system permission denied. */
  DFS_PERMISSION_DENIED(-1603, "file system permission denied", "check the file system"),
  /** Stale file system handle. */
  DFS_STALE_HANDLE(-1604, "stale file system handle", "check the file system"),
  /** Partial file system write. */
  DFS_PARTIAL_WRITE(-1605, "partial file system write", "check the file system"),
  /** The tenant's quota is used up. */
  TENANT_QUOTA_EXCEEDED(
      -1700, "the tenant's quota is used up", "remove objects, or raise the quota"),
  /** Unknown tenant. */
  TENANT_NOT_REGISTERED(
      -1701, "unknown tenant", "add it to the setting tenants, or correct its name"),
  /** The tenant still has objects. */
  TENANT_NOT_EMPTY(-1702, "the tenant still has objects", "remove them first");

  private static final Map<Integer, ErrorCode> BY_NUMBER = byNumber();

  private final int number;
  private final String meaning;
  private final String advice;

  ErrorCode(int number, String meaning, String advice) {
    this.number = number;
    this.meaning = meaning;
    this.advice = advice;
  }

  private static Map<Integer, ErrorCode> byNumber() {
    Map<Integer, ErrorCode> map = new HashMap<>();
    for (ErrorCode code : values()) {
      map.put(code.number, code);
    }
    return Map.copyOf(map);
  }

  /** The number on the wire: 0 for {@link #OK}, negative for errors. */
  public int number() {
    return number;
  }

  /** What happened, as a phrase without full stop. */
  public String meaning() {
    return meaning;
  }

  /** What the caller can do about it, as a phrase without full stop. */
  public String advice() {
    return advice;
  }

  /** A sentence for people: what happened and what to do. */
  public String sentence() {
    return meaning + ": " + advice;
  }

  /** The code with that number, or {@code null} when this table has none. */
  public static @Nullable ErrorCode ofNumber(int number) {
    return BY_NUMBER.get(number);
  }

  /** The code with that number, or {@link #INTERNAL_ERROR} when this table has none. */
  public static ErrorCode fromWire(int number) {
    ErrorCode code = BY_NUMBER.get(number);
    return code == null ? INTERNAL_ERROR : code;
  }
}
