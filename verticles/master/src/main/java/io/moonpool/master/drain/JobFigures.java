package io.moonpool.master.drain;

/**
 * What a job has done: each unit is counted once, where it ended; failed attempts are counted
 * apart. Belongs to the control loop.
 */
final class JobFigures {
  long succeededUnits;
  long droppedUnits;
  long goneUnits;
  long failedUnits;
  long failedAttempts;
  long lostUnits;
  long migratedBytes;

  /** Moved and not counted above any more, since the new home went before its disk had them. */
  long undoneUnits;

  long undoneBytes;

  JobFigures() {}

  /** The figures of a job that goes on after a restart: what had failed is tried again. */
  JobFigures(JobInfo job) {
    succeededUnits = job.succeededUnits();
    droppedUnits = job.droppedUnits();
    goneUnits = job.goneUnits();
    failedAttempts = job.failedAttempts();
    migratedBytes = job.migratedBytes();
  }

  /** Units that are not on a source any more, and nothing of them was lost. */
  long movedAway() {
    return succeededUnits + droppedUnits + goneUnits;
  }

  /** Adds what another has done. */
  void add(JobFigures other) {
    succeededUnits += other.succeededUnits;
    droppedUnits += other.droppedUnits;
    goneUnits += other.goneUnits;
    failedUnits += other.failedUnits;
    failedAttempts += other.failedAttempts;
    lostUnits += other.lostUnits;
    migratedBytes += other.migratedBytes;
    undoneUnits += other.undoneUnits;
    undoneBytes += other.undoneBytes;
  }

  /** Units that had moved are to be moved again. */
  void undo(long units, long bytes) {
    succeededUnits -= units;
    migratedBytes -= bytes;
    undoneUnits += units;
    undoneBytes += bytes;
  }

  /** What was done since an earlier state. */
  JobFigures since(JobFigures earlier) {
    JobFigures since = new JobFigures();
    since.succeededUnits = succeededUnits - earlier.succeededUnits;
    since.droppedUnits = droppedUnits - earlier.droppedUnits;
    since.goneUnits = goneUnits - earlier.goneUnits;
    since.failedUnits = failedUnits - earlier.failedUnits;
    since.failedAttempts = failedAttempts - earlier.failedAttempts;
    since.lostUnits = lostUnits - earlier.lostUnits;
    since.migratedBytes = migratedBytes - earlier.migratedBytes;
    since.undoneUnits = undoneUnits - earlier.undoneUnits;
    since.undoneBytes = undoneBytes - earlier.undoneBytes;
    return since;
  }
}
