package io.moonpool.node.task;

/** How many tasks may run at once, over all sessions of a node. Belongs to an event loop. */
final class TaskSlots {
  private final int slots;
  private final TaskStats stats;
  private int running;

  TaskSlots(int slots, TaskStats stats) {
    this.slots = slots;
    this.stats = stats;
  }

  int free() {
    return slots - running;
  }

  void take() {
    stats.running(++running);
  }

  void give() {
    stats.running(--running);
  }
}
