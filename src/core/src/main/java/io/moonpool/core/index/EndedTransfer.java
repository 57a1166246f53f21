package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;

/**
 * How the end of a transfer came out.
 *
 * @param code OK; REPLICA_IS_GONE when the source went meanwhile, and nothing is left of the
 *     transfer, or a target did, and the others are kept; OBJECT_NOT_FOUND or INVALID_VERSION when
 *     the object was removed or overwritten meanwhile; OBJECT_NO_REPLICATION_TASK when the transfer
 *     was given up or ran out of its grant; INVALID_PARAMS for a copy that is ended as a move or
 *     the other way round; PERSISTENT_FAIL, and the transfer goes on, when it needs floors while
 *     these are refused
 * @param bytes of the object, when it was transferred
 */
public record EndedTransfer(ErrorCode code, long bytes) {
  static EndedTransfer refused(ErrorCode code) {
    return new EndedTransfer(code, 0);
  }
}
