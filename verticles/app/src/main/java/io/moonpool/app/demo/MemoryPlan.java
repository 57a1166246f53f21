package io.moonpool.app.demo;

import io.moonpool.model.config.ByteSizes;

/**
 * What the nodes of a demo lend: less memory than the data needs, so that a part of it ends on disk
 * only, and disk for all of it.
 */
public final class MemoryPlan {
  private static final long MIB = 1L << 20;
  private static final long LEAST = 16 * MIB;

  /** Of the memory that is available, the share that the nodes together may lend. */
  private static final double SHARE = 0.75;

  /** How much of the data memory has room for. */
  private static final double ROOM = 0.6;

  /**
   * On disk: values start at whole blocks, and a disk above its high watermark evicts, which would
   * lose what is there only.
   */
  private static final double DISK_ROOM = 1.25;

  /**
   * What a disk needs beyond its objects: a file being written, and what is kept free for others.
   */
  private static final long DISK_RESERVE = 512 * MIB;

  private MemoryPlan() {}

  /**
   * The memory that each node lends.
   *
   * @param availableBytes what the machine has
   * @throws DemoFailure when the machine does not have it
   */
  public static long bytesPerNode(DemoOptions options, long availableBytes) {
    int nodes = options.nodes();
    long pieceBytes = Demo.pieceBytes(options);
    long limit = (long) (availableBytes * SHARE) / nodes / MIB * MIB;
    // What is being written must fit beside something that can give way to it.
    long underWay = Math.min(options.lanes(), options.objects().size()) * pieceBytes;
    long needed = wholeMib(2 * pieceBytes + underWay * options.replicas() / nodes);
    if (needed > limit) {
      throw new DemoFailure(
          "the nodes need "
              + ByteSizes.format(needed * nodes)
              + " of memory for what is under way at once, but of the "
              + ByteSizes.format(availableBytes / MIB * MIB)
              + " that are available here only "
              + ByteSizes.format(limit * nodes)
              + " may be used: choose a smaller --parallel, or fewer --nodes");
    }
    long wanted = wholeMib((long) (dataBytes(options) * ROOM) / nodes);
    return Math.min(limit, Math.max(LEAST, Math.max(needed, wanted)));
  }

  /**
   * The quota of each node's disk. Any disk could take all of the data, since nobody knows where it
   * goes.
   *
   * @param availableBytes what the file system of all disks has
   * @throws DemoFailure when it does not have enough for the data
   */
  public static long diskBytesPerNode(DemoOptions options, long availableBytes) {
    long needed = (long) (dataBytes(options) * DISK_ROOM) + DISK_RESERVE;
    if (needed > availableBytes) {
      throw new DemoFailure(
          "the data needs "
              + ByteSizes.format(wholeMib(needed))
              + " of disk, but only "
              + ByteSizes.format(availableBytes / MIB * MIB)
              + " are available there: choose another folder with --disk-dir, or give less data");
    }
    return needed;
  }

  private static long dataBytes(DemoOptions options) {
    return options.totalBytes() * options.replicas();
  }

  private static long wholeMib(long bytes) {
    return Math.ceilDiv(bytes, MIB) * MIB;
  }
}
