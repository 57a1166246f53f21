package io.moonpool.master;

import io.moonpool.model.config.Setting;

/** The limits of tasks that copy or move an object. */
public record TaskConfig(
    @Setting("How many ended tasks are remembered, those of drains apart.")
        int maxTotalFinishedTasks,
    @Setting("How many tasks may wait for their node or for space; more are refused.")
        int maxTotalPendingTasks,
    @Setting("How many tasks nodes may have at one time; more wait.") int maxTotalProcessingTasks,
    @Setting("How long a task may wait, in seconds; 0: as long as it takes.")
        long pendingTaskTimeoutSec,
    @Setting("How long a node may have a task, in seconds; 0: as long as it takes.")
        long processingTaskTimeoutSec) {
  private static final int MAX_TASKS = 1_000_000;
  private static final long MAX_TIMEOUT_SEC = 10_000_000;

  /** The defaults. */
  public static final TaskConfig DEFAULT = new TaskConfig(10_000, 10_000, 10_000, 300, 300);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public TaskConfig {
    range("max_total_finished_tasks", maxTotalFinishedTasks, 0, MAX_TASKS);
    range("max_total_pending_tasks", maxTotalPendingTasks, 1, MAX_TASKS);
    range("max_total_processing_tasks", maxTotalProcessingTasks, 1, MAX_TASKS);
    range("pending_task_timeout_sec", pendingTaskTimeoutSec, 0, MAX_TIMEOUT_SEC);
    range("processing_task_timeout_sec", processingTaskTimeoutSec, 0, MAX_TIMEOUT_SEC);
  }

  private static void range(String name, long was, long min, long max) {
    if (was < min || was > max) {
      throw new IllegalArgumentException(
          name + " must be " + min + " to " + max + ", but is '" + was + "'");
    }
  }

  /** {@link #pendingTaskTimeoutSec} in milliseconds. */
  public long pendingTimeoutMillis() {
    return pendingTaskTimeoutSec * 1_000;
  }

  /** {@link #processingTaskTimeoutSec} in milliseconds. */
  public long processingTimeoutMillis() {
    return processingTaskTimeoutSec * 1_000;
  }
}
