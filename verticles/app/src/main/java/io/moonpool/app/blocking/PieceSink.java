package io.moonpool.app.blocking;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Is given the bytes of an object, piece by piece, in order. */
public interface PieceSink {
  /**
   * Takes a piece.
   *
   * @param offset where it starts in the object
   * @param bytes valid during the call only
   */
  void piece(long offset, MemorySegment bytes) throws IOException;
}
