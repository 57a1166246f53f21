package io.moonpool.model;

/**
 * The life of a job that drains segments:
 *
 * <pre>
 * CREATED  -> PLANNING -> RUNNING -> SUCCEEDED
 *    any of these three --> FAILED | CANCELED
 * </pre>
 *
 * <p>The last three are terminal: a job never leaves them.
 */
public enum JobStatus {
  /** Accepted; its sources take no new objects. */
  CREATED(0),
  /** Waits until its sources are known completely: mounted, and disks scanned. */
  PLANNING(1),
  /** Objects move away, or wait for what lets them. */
  RUNNING(2),
  /** Nothing is left on the sources. */
  SUCCEEDED(3),
  /** Something could not be moved. */
  FAILED(4),
  /** Somebody did not want it any more. */
  CANCELED(5);

  private final int number;

  JobStatus(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  /** True when it stays so. */
  public boolean terminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELED;
  }
}
