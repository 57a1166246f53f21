package io.moonpool.master.grpc;

import com.google.protobuf.ProtocolMessageEnum;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.grpc.ReplicateConfig;
import io.moonpool.protocol.json.Uuids;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Parts of messages as model. What cannot be meant is {@link ErrorCode#INVALID_PARAMS} with a
 * sentence that names the field.
 */
final class ProtoRequests {
  private ProtoRequests() {}

  static UUID uuid(String field, String text) {
    try {
      return Uuids.parse(text);
    } catch (IllegalArgumentException e) {
      throw invalid(field + " must be a UUID of 36 characters");
    }
  }

  static io.moonpool.model.ReplicateConfig config(ReplicateConfig config) {
    return new io.moonpool.model.ReplicateConfig(
        config.hasReplicaNum() ? config.getReplicaNum() : 1,
        SoftPinAction.ofNumber(known("soft_pin_action", config.getSoftPinAction())),
        config.hasSoftPinTtlMillis()
            ? OptionalLong.of(config.getSoftPinTtlMillis())
            : OptionalLong.empty(),
        config.getHardPin(),
        config.getPreferredSegmentsList(),
        config.getPreferAllocInSameNode(),
        ObjectDataType.ofNumber(known("data_type", config.getDataType())),
        config.getHostId(),
        config.getGroupIdsList());
  }

  /** One per key: none at all means no checksum for any. */
  static List<Checksum> checksums(List<io.moonpool.protocol.grpc.Checksum> checksums, int keys) {
    if (checksums.isEmpty()) {
      return Collections.nCopies(keys, Checksum.NONE);
    }
    List<Checksum> all = new ArrayList<>();
    for (io.moonpool.protocol.grpc.Checksum checksum : checksums) {
      all.add(checksum(checksum));
    }
    return all;
  }

  static Checksum checksum(io.moonpool.protocol.grpc.Checksum checksum) {
    int[] blocks = new int[checksum.getBlocksCount()];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = checksum.getBlocks(i);
    }
    return new Checksum(
        ChecksumKind.ofNumber(known("checksum.kind", checksum.getKind())),
        checksum.getValue(),
        blocks);
  }

  static long[] longs(List<Long> list) {
    long[] array = new long[list.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = list.get(i);
    }
    return array;
  }

  static int known(String field, ProtocolMessageEnum constant) {
    try {
      return constant.getNumber();
    } catch (IllegalArgumentException e) {
      // The generated constant for numbers that this program does not know has none.
      throw invalid(field + " has a value that this master does not know");
    }
  }

  private static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }
}
