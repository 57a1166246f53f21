package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.metadata.LaneUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a job needs of the scheduler. On the control loop. */
interface JobSurroundings {
  /**
   * Makes a task of a unit whose transfer has started, and has its node take it. The job's {@link
   * DrainJob#unitEnded} is called when it ends.
   */
  void submit(DrainJob job, LaneUnit started);

  /** Something of a job changed that people want to see. */
  void changed(DrainJob job);

  /** A job has reached a terminal status. */
  void ended(DrainJob job);

  /** The mount of a source or a target; null when it is not mounted. */
  @Nullable SegmentMount mounted(UUID segmentId);

  /** Whether all that is on a mounted segment is known. */
  boolean scanned(SegmentMount segment);

  /** How long a target may be written after the start of a transfer. */
  long grantMillis();

  /** How long a unit whose target could not be reached waits, by the number of its failed tries. */
  long retryDelayMillis(int failedAttempts);
}
