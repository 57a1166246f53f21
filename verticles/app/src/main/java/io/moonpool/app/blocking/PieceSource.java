package io.moonpool.app.blocking;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Gives the bytes of an object, piece by piece, in order. */
public interface PieceSource {
  /**
   * Copies the next bytes.
   *
   * @param offset where they start in the object
   * @param target filled as far as there are bytes
   * @return how many; fewer than the target holds only at the end
   */
  long piece(long offset, MemorySegment target) throws IOException;
}
