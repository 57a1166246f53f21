package io.moonpool.app.demo;

import io.moonpool.model.config.ByteSizes;

/**
 * How much memory the nodes of a demo lend: room for the data that stays below the master's
 * eviction watermark however unevenly it spreads, and within what the machine has.
 */
public final class MemoryPlan {
  private static final long MIB = 1L << 20;
  private static final long LEAST = 128 * MIB;

  /** Of the memory that is available, the share that the nodes together may lend. */
  private static final double SHARE = 0.75;

  /** Room over the data; the least that works is the eviction watermark's tenth and the spread. */
  private static final double GENEROUS = 1.6;

  private static final double LEAST_ROOM = 1.2;

  private MemoryPlan() {}

  /**
   * The memory that each node lends.
   *
   * @throws DemoFailure when the machine does not have it
   */
  public static long bytesPerNode(DemoOptions options, long availableBytes) {
    long dataBytes = options.totalBytes() * options.replicas();
    long pieceBytes = Demo.pieceBytes(options);
    int nodes = options.nodes();
    long limit = (long) (availableBytes * SHARE) / nodes / MIB * MIB;
    long wanted = perNode(dataBytes, pieceBytes, nodes, GENEROUS);
    long needed = perNode(dataBytes, pieceBytes, nodes, LEAST_ROOM);
    if (needed > limit) {
      throw new DemoFailure(
          "the data needs "
              + ByteSizes.format(needed * nodes)
              + " of memory on the nodes, but of the "
              + ByteSizes.format(availableBytes / MIB * MIB)
              + " that are available here only "
              + ByteSizes.format(limit * nodes)
              + " may be used: give less data");
    }
    return Math.min(wanted, limit);
  }

  private static long perNode(long dataBytes, long pieceBytes, int nodes, double room) {
    long share = (long) (dataBytes * room) / nodes + 2 * pieceBytes;
    return Math.max(LEAST, Math.ceilDiv(share, MIB) * MIB);
  }
}
