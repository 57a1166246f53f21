package io.moonpool.master.metadata;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.TaskType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A copy or move of one object that somebody asks for.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param source the segment whose replica is read; empty for any, which only a copy may say
 * @param targets memory segments that shall have a replica; one for a move
 * @param taskId names the transfer
 * @param grantMillis how long the targets may be written, at least 1
 */
public record TransferRequest(
    TaskType type,
    String tenant,
    byte[] key,
    Optional<SegmentMount> source,
    List<SegmentMount> targets,
    UUID taskId,
    long grantMillis) {
  /** Copies the list. */
  public TransferRequest {
    targets = List.copyOf(targets);
  }
}
