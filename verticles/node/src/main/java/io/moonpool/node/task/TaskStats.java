package io.moonpool.node.task;

import java.util.concurrent.atomic.LongAdder;

/** What a node counts of its tasks; any thread may read. */
public final class TaskStats {
  final LongAdder taken = new LongAdder();
  final LongAdder succeeded = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder unsettled = new LongAdder();
  final LongAdder memoryBytes = new LongAdder();
  final LongAdder diskBytes = new LongAdder();
  final LongAdder movesFromDisk = new LongAdder();
  final LongAdder failedLoads = new LongAdder();
  private volatile int running;

  TaskStats() {}

  void running(int now) {
    running = now;
  }

  /** Tasks that the master handed out. */
  public long taken() {
    return taken.sum();
  }

  /** Tasks that were carried out and that the master settled. */
  public long succeeded() {
    return succeeded.sum();
  }

  /** Tasks that could not be carried out. */
  public long failed() {
    return failed.sum();
  }

  /** Tasks that were carried out, but not settled: the master had given them up. */
  public long unsettled() {
    return unsettled.sum();
  }

  /** Bytes of values that were transferred from memory. */
  public long memoryBytes() {
    return memoryBytes.sum();
  }

  /** Bytes of values that were transferred from disk. */
  public long diskBytes() {
    return diskBytes.sum();
  }

  /** Moves from disk that succeeded, as often as {@link TaskEvents#MOVED_FROM_DISK} is logged. */
  public long movesFromDisk() {
    return movesFromDisk.sum();
  }

  /** Loads from disk that failed, as often as {@link TaskEvents#LOAD_FAILED} is logged. */
  public long failedLoads() {
    return failedLoads.sum();
  }

  /** Tasks under way. */
  public int running() {
    return running;
  }
}
