package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.storage.GcReport;

/**
 * How far a collection of a disk is.
 *
 * @param running false when it has come to its end
 * @param deadRatio the least dead part of the buckets that it copies
 * @param emptied buckets without a live object that were deleted
 * @param rewritten buckets whose live objects were copied, and which then were deleted
 * @param copiedObjects objects that were copied
 * @param copiedBytes bytes of their values
 * @param freedBytes what was given back to the file system
 * @param code what ended it early, or OK
 * @param detail for people; empty when OK
 */
public record DiskCollection(
    boolean running,
    double deadRatio,
    long emptied,
    long rewritten,
    long copiedObjects,
    long copiedBytes,
    long freedBytes,
    ErrorCode code,
    String detail) {
  static DiskCollection begun(double deadRatio) {
    return new DiskCollection(true, deadRatio, 0, 0, 0, 0, 0, ErrorCode.OK, "");
  }

  /** With what one more run came to. */
  DiskCollection plus(GcReport run) {
    return new DiskCollection(
        running,
        deadRatio,
        emptied + run.emptied(),
        rewritten + run.rewritten(),
        copiedObjects + run.copiedObjects(),
        copiedBytes + run.copiedBytes(),
        freedBytes + run.freedBytes(),
        code,
        detail);
  }

  /** At its end. */
  DiskCollection ended(ErrorCode why, String text) {
    return new DiskCollection(
        false, deadRatio, emptied, rewritten, copiedObjects, copiedBytes, freedBytes, why, text);
  }
}
