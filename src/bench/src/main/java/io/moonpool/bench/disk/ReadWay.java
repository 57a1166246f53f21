package io.moonpool.bench.disk;

import java.io.IOException;

/** A way to read from the disk, at random, with several readers, each with one read under way. */
interface ReadWay {
  /** What tables call it. */
  String name();

  /** Reads for a while. Blocks as long. */
  ReadTurn read(long millis) throws IOException, InterruptedException;
}
