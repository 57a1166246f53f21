package io.moonpool.master.metadata;

import io.moonpool.core.index.DrainLanes;
import io.moonpool.core.index.LaneStep;
import io.moonpool.core.index.ObjectView;
import io.moonpool.core.index.TransferSink;
import io.moonpool.core.index.TransferTarget;
import io.moonpool.master.loop.StepBudget;
import io.moonpool.master.loop.Sweep;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Takes units from the lane of one loop: the first step at once, the rest as a sweep. Answers when
 * what it removed from disks is durable. It does not wait for what others removed: units that ended
 * just before it would add the journal's latency to each unit that takes their place.
 */
final class LaneTake implements Sweep, TransferSink {
  private final MetadataShards shards;
  private final UUID job;
  private final int maxUnits;
  private final long maxBytes;
  private final StartedTransferSink sink;
  private final StepBudget budget = new StepBudget();
  private final List<LaneUnit> started = new ArrayList<>();
  private long startedBytes;
  private long droppedUnits;
  private long rehomedUnits;
  private long undoneUnits;
  private long undoneBytes;
  private boolean more;

  /** A replica was removed from a disk, and nobody has been told yet. */
  private boolean emitted;

  LaneTake(MetadataShards shards, TenantTable tenants, UUID job, int maxUnits, long maxBytes) {
    this.shards = shards;
    this.job = job;
    this.maxUnits = maxUnits;
    this.maxBytes = maxBytes;
    sink = new StartedTransferSink(tenants, TaskType.REPLICA_MOVE, true);
  }

  Future<LaneBatch> start() {
    shards.index().refuseFloors(shards.floors().isFailed());
    shards.loop().beginSlice();
    boolean goesOn = step();
    shards.loop().endSlice();
    Future<Void> done = goesOn ? shards.loop().sweeps().start(this) : Future.succeededFuture();
    return done.compose(
            ignored -> emitted ? shards.floors().durable() : Future.<Void>succeededFuture())
        .recover(failure -> Future.succeededFuture()) // its floors are tried again with the journal
        .map(
            ignored ->
                new LaneBatch(started, droppedUnits, rehomedUnits, undoneUnits, undoneBytes, more));
  }

  @Override
  public boolean step() {
    DrainLanes lanes = shards.index().lanes();
    if (!lanes.isOpen(job)) {
      more = false;
      return false;
    }
    long emissions = shards.floors().emissions();
    LaneStep step =
        lanes.take(
            job,
            maxUnits - started.size(),
            maxBytes - startedBytes,
            shards.laneRoom(),
            shards.nowMillis(),
            budget.start(),
            this);
    // What left a disk since another one has it is waited for by the status, before the job ends.
    emitted |= step.dropped() > 0 && shards.floors().emissions() != emissions;
    shards.floors().flush();
    shards.settleMail();
    startedBytes += step.startedBytes();
    droppedUnits += step.dropped();
    rehomedUnits += step.rehomed();
    undoneUnits += step.undone();
    undoneBytes += step.undoneBytes();
    more = step.more();
    if (step.needsSpace()) {
      shards.evictor().spaceNeeded();
    }
    return more && started.size() < maxUnits && startedBytes < maxBytes;
  }

  @Override
  public void started(UUID task, ObjectView object, Source source, List<TransferTarget> targets) {
    sink.started(task, object, source, targets);
    StartedTransfer transfer = sink.last();
    started.add(
        new LaneUnit(
            new UnitRef(
                transfer.object().tenant(),
                transfer.object().key(),
                source.generation(),
                source.replicaId()),
            transfer));
  }

  /** What a lane that is not open answers. */
  static StoreException notOpen(UUID job) {
    return new StoreException(ErrorCode.JOB_NOT_FOUND, "drain job " + job + " has no lanes");
  }
}
