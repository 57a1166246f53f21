package io.moonpool.master.drain;

import io.moonpool.model.JobStatus;

/**
 * What drains and tasks have done since the master started, for metrics. The control loop counts in
 * plain fields and publishes a copy when something changed; any thread reads the copy.
 */
public final class DrainCounts {
  /**
   * The figures.
   *
   * @param liveJobs that have not ended
   * @param activeUnits under way
   * @param succeededJobs since the start of the master, as the other two
   * @param succeededUnits moved; one that had to be moved again counts again, since this only grows
   * @param droppedUnits whose replica was given up, since others remain
   * @param goneUnits removed or overwritten while they moved
   * @param failedUnits that failed in all tries
   * @param failedAttempts tries that failed
   * @param lostUnits that went away with a node
   * @param migratedBytes of what moved
   * @param pendingTasks that wait
   * @param processingTasks that nodes have
   * @param succeededTasks of drains and by hand
   * @param failedTasks of drains and by hand
   */
  public record Figures(
      int liveJobs,
      int activeUnits,
      long succeededJobs,
      long failedJobs,
      long canceledJobs,
      long succeededUnits,
      long droppedUnits,
      long goneUnits,
      long failedUnits,
      long failedAttempts,
      long lostUnits,
      long migratedBytes,
      int pendingTasks,
      int processingTasks,
      long succeededTasks,
      long failedTasks) {
    /** Before anything was drained. */
    public static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private final JobFigures finished = new JobFigures();
  private long succeeded;
  private long failed;
  private long canceled;
  private volatile Figures published = Figures.NONE;

  /** A job has reached its end. */
  void ended(JobStatus how) {
    switch (how) {
      case SUCCEEDED -> succeeded++;
      case FAILED -> failed++;
      case CANCELED -> canceled++;
      case CREATED, PLANNING, RUNNING -> throw new IllegalArgumentException(how + " is no end");
    }
  }

  /** The figures of a job do not change any more. */
  void closed(JobFigures since) {
    finished.add(since);
  }

  /** Takes a picture. */
  void publish(Iterable<DrainJob> jobs, TaskTable tasks) {
    JobFigures sum = new JobFigures();
    sum.add(finished);
    int live = 0;
    int active = 0;
    for (DrainJob job : jobs) {
      sum.add(job.figuresHere());
      live += job.status().terminal() ? 0 : 1;
      active += job.activeUnits();
    }
    published =
        new Figures(
            live,
            active,
            succeeded,
            failed,
            canceled,
            sum.succeededUnits + sum.undoneUnits,
            sum.droppedUnits,
            sum.goneUnits,
            sum.failedUnits,
            sum.failedAttempts,
            sum.lostUnits,
            sum.migratedBytes + sum.undoneBytes,
            tasks.pending(),
            tasks.processing(),
            tasks.succeeded(),
            tasks.failed());
  }

  /** The latest picture. Any thread. */
  public Figures figures() {
    return published;
  }
}
