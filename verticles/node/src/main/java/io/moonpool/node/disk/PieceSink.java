package io.moonpool.node.disk;

import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;

/** Takes a value piece by piece, in order. */
@FunctionalInterface
public interface PieceSink {
  /**
   * Takes a piece.
   *
   * @param piece used again for something else once the future is complete
   * @param offset where the piece starts in the value, in bytes
   * @return a failure ends the reading of the value, and becomes its own
   */
  Future<Void> take(MemorySegment piece, long offset);
}
