package io.moonpool.gateway.handler;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.mooncake.WriteConfig;
import java.util.List;

/** What a Mooncake client asks for, in the words of this master. */
final class WriteConfigs {
  private WriteConfigs() {}

  /**
   * Translates.
   *
   * @throws StoreException INVALID_PARAMS, or DFS_SERVICE_UNAVAILABLE for a replica on a file
   *     system that is not here
   */
  static ReplicateConfig translate(WriteConfig wish) {
    if (wish.nofReplicas() != 0) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "there are no remote NVMe namespaces: ask for no replica there");
    }
    if (wish.memoryReplicas() < 1 || wish.memoryReplicas() > Integer.MAX_VALUE) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "ask for at least one replica in memory, not "
              + Long.toUnsignedString(wish.memoryReplicas()));
    }
    if (wish.dfsReplicas() != 0) {
      throw new StoreException(
          wish.dfsReplicas() == 1 ? ErrorCode.DFS_SERVICE_UNAVAILABLE : ErrorCode.INVALID_PARAMS,
          "there is no distributed file system: ask for no replica there");
    }
    return new ReplicateConfig(
        (int) wish.memoryReplicas(),
        softPinAction(wish.softPinAction()),
        wish.softPinTtlMillis(),
        wish.hardPin(),
        wish.preferredSegment().isEmpty()
            ? wish.preferredSegments()
            : List.of(wish.preferredSegment()),
        wish.sameNode(),
        dataType(wish.dataType()),
        wish.hostId(),
        wish.groupIds().orElse(List.of()));
  }

  private static SoftPinAction softPinAction(int number) {
    try {
      return SoftPinAction.ofNumber(number);
    } catch (IllegalArgumentException e) {
      throw new StoreException(ErrorCode.INVALID_PARAMS, "no soft pin action is " + number);
    }
  }

  /** No policy uses it, so one that is not known here is none. */
  private static ObjectDataType dataType(int number) {
    try {
      return ObjectDataType.ofNumber(number);
    } catch (IllegalArgumentException e) {
      return ObjectDataType.UNKNOWN;
    }
  }
}
