package io.moonpool.node.task;

/** How many tasks may run at once, over all sessions of a node. Belongs to an event loop. */
final class TaskSlots {
  private final TaskStats stats;
  private int free;
  private int running;

  TaskSlots(int slots, TaskStats stats) {
    this.free = slots;
    this.stats = stats;
  }

  int free() {
    return free;
  }

  void take() {
    free--;
    stats.running(++running);
  }

  void give() {
    free++;
    stats.running(--running);
  }
}
