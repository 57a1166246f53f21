package io.moonpool.master.metadata;

import io.moonpool.core.index.DrainLanes;
import io.moonpool.core.index.DrainSurvey;
import io.moonpool.core.index.LaneFigures;
import io.moonpool.core.index.LaneTarget;
import io.moonpool.core.index.ObjectView;
import io.moonpool.core.index.WaitReason;
import io.moonpool.master.loop.StepBudget;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What a loop tells of its lanes, in the terms of callers. */
final class LaneReports {
  private LaneReports() {}

  /** How far the lane of a job on a loop is; nothing is left of one that is not open. */
  static LaneStatus status(MetadataShards shards, TenantTable tenants, UUID job) {
    DrainLanes lanes = shards.index().lanes();
    if (!lanes.isOpen(job)) {
      return new LaneStatus(0, Map.of(), Map.of(), 0, 0, Set.of(), true, 0, List.of());
    }
    long nowMillis = shards.nowMillis();
    LaneFigures figures = lanes.figures(job, nowMillis);
    List<WaitingUnit> first = new ArrayList<>();
    lanes.visitWaiting(
        job,
        LaneStatus.FIRST,
        (object, replicaId, generation, reason) ->
            first.add(unit(tenants, object, replicaId, generation, reason)));
    return new LaneStatus(
        figures.replicas(),
        figures.unitsOf(),
        figures.rehomingOf(),
        figures.waitingForObject(),
        figures.waitingForSpace(),
        figures.paused(),
        figures.exhausted(),
        Math.max(0, figures.touchedUntilMillis() - nowMillis),
        first);
  }

  private static WaitingUnit unit(
      TenantTable tenants, ObjectView object, long replicaId, long generation, WaitReason reason) {
    return new WaitingUnit(
        new UnitRef(
            tenants.name(object.tenant()), ObjectForNodes.key(object), generation, replicaId),
        reason);
  }

  /** What a drain would find on one loop. */
  record Surveyed(
      long units,
      long bytes,
      long fromDisk,
      long dropped,
      long waiting,
      List<LaneTarget> targets,
      List<WaitingUnit> first) {}

  /** Looks what a drain would do on a loop, in slices. */
  static Future<Surveyed> survey(MetadataShards shards, TenantTable tenants, LaneSpec spec) {
    List<WaitingUnit> first = new ArrayList<>();
    DrainSurvey survey =
        shards
            .index()
            .lanes()
            .survey(
                spec.sources(),
                spec.targets(),
                (object, replicaId, generation, reason) -> {
                  if (first.size() < LaneStatus.FIRST) {
                    first.add(unit(tenants, object, replicaId, generation, reason));
                  }
                });
    StepBudget budget = new StepBudget();
    return shards
        .loop()
        .sweeps()
        .start(() -> !survey.step(shards.nowMillis(), budget.start()))
        .onComplete(done -> survey.end())
        .map(
            done ->
                new Surveyed(
                    survey.units(),
                    survey.bytes(),
                    survey.fromDisk(),
                    survey.dropped(),
                    survey.waiting(),
                    survey.targets(shards.laneRoom()),
                    first));
  }

  /** What all loops have found together. All of them know the same targets. */
  static LanePlan plan(List<Surveyed> parts) {
    long bytes = parts.stream().mapToLong(Surveyed::bytes).sum();
    List<TargetRoom> rooms = TargetRoom.spread(bytes, parts.getFirst().targets());
    return new LanePlan(
        parts.stream().mapToLong(Surveyed::units).sum(),
        bytes,
        parts.stream().mapToLong(Surveyed::fromDisk).sum(),
        parts.stream().mapToLong(Surveyed::dropped).sum(),
        parts.stream().mapToLong(Surveyed::waiting).sum(),
        rooms,
        Math.max(0, bytes - rooms.stream().mapToLong(TargetRoom::expectedBytes).sum()),
        parts.stream().flatMap(part -> part.first().stream()).limit(LaneStatus.FIRST).toList());
  }
}
