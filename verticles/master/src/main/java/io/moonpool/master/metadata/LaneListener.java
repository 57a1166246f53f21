package io.moonpool.master.metadata;

import java.util.UUID;

/**
 * Hears what drain jobs and tasks wait for. Called on a metadata loop: hand it on, and return at
 * once.
 */
public interface LaneListener {
  /**
   * Something has happened that the lane of a job on that loop waited for. Not repeated before the
   * lane is asked for units.
   */
  void laneChanged(int loop, UUID job);

  /**
   * Space became free after {@link DrainProxy#wantSpace} had asked for that; once. From any
   * metadata loop.
   */
  void spaceCame();

  /** A transfer ran out of its grant, and was given up. */
  void transferExpired(UUID taskId);
}
