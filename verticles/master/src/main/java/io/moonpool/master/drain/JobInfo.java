package io.moonpool.master.drain;

import io.moonpool.model.JobStatus;
import java.util.List;
import java.util.UUID;

/**
 * A drain job as people see it. A unit is an object on a source: what has a replica in memory and
 * one on the disk of the same node is one unit. Each unit ends in one of {@code succeededUnits},
 * {@code droppedUnits}, {@code goneUnits}, {@code failedUnits} and {@code lostUnits}.
 *
 * @param request as made
 * @param sources the segments that are emptied
 * @param targets ids of the segments that may take the objects; empty: all
 * @param createdAtMillis by the wall clock
 * @param updatedAtMillis when a figure or the status changed last, by the wall clock
 * @param succeededUnits objects that moved
 * @param droppedUnits objects that were on every other segment already: their replica on the source
 *     was given up
 * @param goneUnits objects that were removed or overwritten while they moved
 * @param failedUnits objects that failed in all tries
 * @param failedAttempts tries that failed
 * @param lostUnits objects that were still on a source when its node went away
 * @param activeUnits objects that are under way
 * @param blockedUnits objects that wait for something
 * @param rehomingUnits objects that have moved, and stay on a disk that is drained until one has
 *     them at their new home
 * @param remainingUnits objects that are on the sources, as far as that is known; active, blocked
 *     and failed ones included
 * @param migratedBytes sizes of the objects that moved
 * @param unitsPerSecond how fast it goes lately
 * @param bytesPerSecond how fast it goes lately
 * @param remainingMillis how long it takes at that rate; -1 when nobody can tell
 * @param blocked the first objects that wait or have failed, and why
 * @param message what people are told
 */
public record JobInfo(
    UUID id,
    JobStatus status,
    DrainRequest request,
    List<Source> sources,
    List<UUID> targets,
    long createdAtMillis,
    long updatedAtMillis,
    long succeededUnits,
    long droppedUnits,
    long goneUnits,
    long failedUnits,
    long failedAttempts,
    long lostUnits,
    int activeUnits,
    long blockedUnits,
    long rehomingUnits,
    long remainingUnits,
    long migratedBytes,
    double unitsPerSecond,
    double bytesPerSecond,
    long remainingMillis,
    List<BlockedUnit> blocked,
    String message) {
  /** Copies the lists. */
  public JobInfo {
    sources = List.copyOf(sources);
    targets = List.copyOf(targets);
    blocked = List.copyOf(blocked);
  }

  /**
   * A segment that is emptied.
   *
   * @param name for people
   * @param nodeId of its node
   * @param disk whether it is a disk
   */
  public record Source(UUID segmentId, String name, UUID nodeId, boolean disk) {}

  /**
   * An object that does not move now.
   *
   * @param tenant empty for the default one
   * @param reason what it waits for, or what it failed with
   */
  public record BlockedUnit(String tenant, String key, String reason) {}
}
