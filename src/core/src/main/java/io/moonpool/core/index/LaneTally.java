package io.moonpool.core.index;

/** What a step of a lane has done so far: what {@link LaneStep} tells in the end. */
final class LaneTally {
  private int started;
  private long startedBytes;
  private long dropped;
  private long droppedBytes;
  private long rehomed;
  private long undone;
  private long undoneBytes;

  int started() {
    return started;
  }

  long startedBytes() {
    return startedBytes;
  }

  void start(long bytes) {
    started++;
    startedBytes += bytes;
  }

  void drop(long bytes) {
    dropped++;
    droppedBytes += bytes;
  }

  void rehome() {
    rehomed++;
  }

  void undo(long bytes) {
    undone++;
    undoneBytes += bytes;
  }

  LaneStep step(boolean more, boolean needsSpace) {
    return new LaneStep(
        started,
        startedBytes,
        dropped,
        droppedBytes,
        rehomed,
        undone,
        undoneBytes,
        more,
        needsSpace);
  }
}
