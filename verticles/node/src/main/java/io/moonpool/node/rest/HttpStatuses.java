package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;

/** The HTTP status of the errors that objects can meet. */
final class HttpStatuses {
  private HttpStatuses() {}

  static int of(ErrorCode code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_PARAMS, INVALID_KEY, BUFFER_OVERFLOW -> 400;
      case ILLEGAL_CLIENT -> 403;
      case OBJECT_NOT_FOUND, TENANT_NOT_REGISTERED -> 404;
      case OBJECT_ALREADY_EXISTS,
          INVALID_VERSION,
          INVALID_WRITE,
          OBJECT_HAS_LEASE,
          LEASE_EXPIRED,
          OBJECT_HAS_REPLICATION_TASK,
          OBJECT_REPLICA_BUSY,
          UNAVAILABLE_IN_CURRENT_MODE ->
          409;
      case KEYS_ULTRA_LIMIT -> 429;
      case NOT_SUPPORTED -> 501;
      case REPLICA_IS_NOT_READY, UNAVAILABLE_IN_CURRENT_STATUS, RPC_FAIL -> 503;
      case RPC_TIMEOUT -> 504;
      case NO_AVAILABLE_HANDLE, TENANT_QUOTA_EXCEEDED -> 507;
      default -> 500;
    };
  }
}
