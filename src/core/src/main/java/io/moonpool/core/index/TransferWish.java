package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.TaskType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A copy or move that somebody asks for.
 *
 * @param task who starts it: only that may end it or give it up
 * @param source the segment whose replica is read; empty for any, which only a copy may say
 * @param targets memory segments that shall have a replica; one for a move
 * @param grantMillis how long the targets may be written, at least 1
 */
public record TransferWish(
    TaskType type,
    UUID task,
    Optional<SegmentMount> source,
    List<SegmentMount> targets,
    long grantMillis) {
  /** Copies the list, and checks the time. */
  public TransferWish {
    targets = List.copyOf(targets);
    if (grantMillis < 1) {
      throw new IllegalArgumentException("a grant is at least 1 ms, not " + grantMillis + " ms");
    }
  }
}
