package io.moonpool.master.drain;

/**
 * Something happened to a drain job.
 *
 * @param event the status that it reached, in lower case, or {@code progress}
 * @param job as it is after that
 */
public record DrainEvent(String event, JobInfo job) {
  /** The event that tells of figures, not of another status. */
  public static final String PROGRESS = "progress";
}
