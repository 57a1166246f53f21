package io.moonpool.master.drain;

import io.moonpool.master.metadata.LaneStatus;
import io.moonpool.model.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What people see of a job: its figures, how fast it goes, and what was left when its lanes were
 * asked last. Belongs to the control loop.
 */
final class JobView {
  /** How long a job goes on before its rate tells anything. */
  private static final long SETTLED_MILLIS = 500;

  /** Units per second below which the rate is what is left of an average that forgets. */
  private static final double SLOWEST = 1e-3;

  private final UUID id;
  private final DrainRequest request;
  private final List<UUID> targets;
  private final long createdAtMillis;
  private final JobFigures figures;
  private final DrainClock clock;
  private final ProgressRate unitRate;
  private final ProgressRate byteRate;
  private @Nullable LaneStatus left;

  /** Units that had moved away when {@link #left} was counted. */
  private long movedAtCount;

  private long updatedAtMillis;
  private final long startedMillis;

  JobView(
      UUID id,
      DrainRequest request,
      List<UUID> targets,
      long createdAtMillis,
      JobFigures figures,
      DrainClock clock) {
    this.id = id;
    this.request = request;
    this.targets = List.copyOf(targets);
    this.createdAtMillis = createdAtMillis;
    this.updatedAtMillis = createdAtMillis;
    this.figures = figures;
    this.clock = clock;
    this.startedMillis = clock.nowMillis();
    this.unitRate = new ProgressRate(figures.movedAway(), clock.nowMillis());
    this.byteRate = new ProgressRate(figures.migratedBytes, clock.nowMillis());
  }

  /** The lanes told what is left. */
  void counted(@Nullable LaneStatus now) {
    left = now;
    movedAtCount = figures.movedAway();
  }

  /** Something has changed. */
  void touch() {
    updatedAtMillis = clock.wallMillis();
  }

  /**
   * The job as it is now.
   *
   * @param active units that are under way
   * @param delayed units that are tried again after a while
   */
  JobInfo info(
      JobStatus status,
      String message,
      List<JobInfo.Source> sources,
      int active,
      int delayed,
      UnitTries tries) {
    long nowMillis = clock.nowMillis();
    double unitsPerSecond = unitRate.perSecond(figures.movedAway(), nowMillis);
    double bytesPerSecond = byteRate.perSecond(figures.migratedBytes, nowMillis);
    long remaining = remaining(status, active);
    long remainingMillis = remainingMillis(status, remaining, active, unitsPerSecond, nowMillis);
    List<JobInfo.BlockedUnit> named = new ArrayList<>(tries.first());
    named.addAll(Wording.waiting(left));
    return new JobInfo(
        id,
        status,
        request,
        sources,
        targets,
        createdAtMillis,
        updatedAtMillis,
        figures.succeededUnits,
        figures.droppedUnits,
        figures.goneUnits,
        figures.failedUnits,
        figures.failedAttempts,
        figures.lostUnits,
        active,
        blocked(status, delayed),
        rehoming(status),
        remaining,
        figures.migratedBytes,
        unitsPerSecond,
        bytesPerSecond,
        remainingMillis,
        named,
        message);
  }

  /**
   * How long it takes at the rate of late; -1 when nobody can tell: it has just begun, all that is
   * left waits, or it has ended before all was done.
   */
  private long remainingMillis(
      JobStatus status, long remaining, int active, double unitsPerSecond, long nowMillis) {
    if (remaining == 0 && rehoming(status) == 0) {
      return 0;
    }
    boolean known = active > 0 && nowMillis - startedMillis >= SETTLED_MILLIS;
    return known && !status.terminal() && unitsPerSecond >= SLOWEST
        ? Math.round(remaining / unitsPerSecond * 1_000)
        : -1;
  }

  /** How many units are thought to be left: what was counted last, without what went since. */
  private long remaining(JobStatus status, int active) {
    LaneStatus counted = left;
    return counted == null || status == JobStatus.SUCCEEDED
        ? 0
        : Math.max(active, counted.units() - (figures.movedAway() - movedAtCount));
  }

  private long rehoming(JobStatus status) {
    LaneStatus counted = left;
    return counted == null || status == JobStatus.SUCCEEDED ? 0 : counted.rehoming();
  }

  private long blocked(JobStatus status, int delayed) {
    LaneStatus counted = left;
    return status.terminal()
        ? 0
        : delayed + (counted == null ? 0 : counted.waitingForObject() + counted.waitingForSpace());
  }
}
