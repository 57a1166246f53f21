package io.moonpool.core.segment;

import java.util.List;

/**
 * What an operation on the registry came to.
 *
 * @param result for who asked
 * @param changes for every metadata loop, in this order; empty when nothing changed
 */
public record SegmentUpdate<T>(T result, List<SegmentChange> changes) {
  /** Copies the list. */
  public SegmentUpdate {
    changes = List.copyOf(changes);
  }
}
