package io.moonpool.core.index;

import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.TaskType;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Copies and moves of the replicas of objects that are there, from their start to their end:
 *
 * <pre>
 *          start               end
 *  (none) -------> under way -------> (none)   targets complete, of a move the source removed
 *                     |
 *                     | revoke, out of its grant; object removed, overwritten or lost
 *                     v
 *                   (none)   targets given up, the source stays
 * </pre>
 *
 * <p>An object has one at a time. Its source is held, so it is not evicted, and its targets are
 * {@link ReplicaAdditions}. One that a user asked for keeps its object from being removed and
 * overwritten. One of a drain stands in the way of nobody: it comes to nothing when its object or
 * value goes.
 *
 * <p>What is kept of one is an entry in a map for as long as it is under way, and its place in the
 * order of deadlines.
 *
 * <p>The thread of its {@link ObjectIndex} is the only one that calls it.
 */
public final class Transfers {
  /** One that is under way. */
  static final class Transfer {
    final UUID task;
    final TaskType type;
    final boolean drain;
    final int row;
    final long version;
    final long sourceId;
    final long[] targetIds;
    final long deadlineMillis;

    Transfer(
        UUID task,
        TaskType type,
        boolean drain,
        int row,
        long version,
        long sourceId,
        long[] targetIds,
        long deadlineMillis) {
      this.task = task;
      this.type = type;
      this.drain = drain;
      this.row = row;
      this.version = version;
      this.sourceId = sourceId;
      this.targetIds = targetIds;
      this.deadlineMillis = deadlineMillis;
    }
  }

  /** Nobody hears of transfers. */
  static final TransferEffects UNHEARD =
      new TransferEffects() {
        @Override
        public void expired(UUID task) {}

        @Override
        public void laneChanged(UUID job) {}
      };

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final ObjectView view;
  private final StartedWrite added = new StartedWrite();
  private final Int2ObjectOpenHashMap<Transfer> byRow = new Int2ObjectOpenHashMap<>();
  private final TreeSet<Transfer> byDeadline =
      new TreeSet<>(
          Comparator.<Transfer>comparingLong(transfer -> transfer.deadlineMillis)
              .thenComparingInt(transfer -> transfer.row));

  Transfers(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    view = new ObjectView(core);
  }

  // Starting

  /**
   * Whether a copy or move may start, before space is looked for: {@link #start} with an extent for
   * each missing target will answer the same in this turn of the loop.
   *
   * @return OK; INVALID_PARAMS when there is no target, a target twice or the source among them,
   *     more than one target of a move, a move without a source, a target that is a disk;
   *     SEGMENT_NOT_FOUND and UNAVAILABLE_IN_CURRENT_STATUS for a target that is not there or takes
   *     no new objects; OBJECT_NOT_FOUND; REPLICA_IS_NOT_READY while the object is being
   *     overwritten, or when the source's node is not heard from; OBJECT_HAS_REPLICATION_TASK;
   *     REPLICA_NOT_FOUND when there is no complete replica on the source
   */
  public TransferCheck check(ObjectKey key, TransferWish wish, long nowMillis) {
    core.time(nowMillis);
    ErrorCode code = checkTargets(wish);
    if (code != ErrorCode.OK) {
      return TransferCheck.refused(code);
    }
    int row = core.findComplete(key);
    code = row == 0 ? ErrorCode.OBJECT_NOT_FOUND : checkObject(core.withoutOverdueWrite(row));
    if (code != ErrorCode.OK) {
      return TransferCheck.refused(code);
    }
    int source = source(row, wish);
    if (source == 0) {
      return TransferCheck.refused(ErrorCode.REPLICA_NOT_FOUND);
    }
    if (!isServed(source)) {
      return TransferCheck.refused(ErrorCode.REPLICA_IS_NOT_READY);
    }
    List<SegmentMount> missing = new ArrayList<>(wish.targets().size());
    ClientProtocol executor = core.segments.reach(replicas.slot(source)).owner();
    if (executor == ClientProtocol.MOONCAKE && replicas.type(source) != IndexCore.MEMORY) {
      // Its clients move memory only.
      return TransferCheck.refused(ErrorCode.NOT_SUPPORTED);
    }
    for (SegmentMount target : wish.targets()) {
      if (!core.segments.reach(target.slot()).by(executor)) {
        // The source's node carries it out.
        return TransferCheck.refused(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
      }
      int there = core.replicaIn(row, target.slot());
      if (there == 0) {
        missing.add(target);
      } else if (replicas.status(there) != IndexCore.COMPLETE) {
        // A promotion is about to bring one.
        return TransferCheck.refused(ErrorCode.OBJECT_HAS_REPLICATION_TASK);
      }
    }
    return new TransferCheck(ErrorCode.OK, objects.size(row), missing);
  }

  private ErrorCode checkTargets(TransferWish wish) {
    List<SegmentMount> targets = wish.targets();
    boolean move = wish.type() == TaskType.REPLICA_MOVE;
    if (targets.isEmpty() || (move && (targets.size() > 1 || wish.source().isEmpty()))) {
      return ErrorCode.INVALID_PARAMS;
    }
    for (int i = 0; i < targets.size(); i++) {
      SegmentMount target = targets.get(i);
      if (targets.indexOf(target) < i || Optional.of(target).equals(wish.source())) {
        return ErrorCode.INVALID_PARAMS;
      }
      if (!core.segments.isLive(target.slot(), target.generation())) {
        return ErrorCode.SEGMENT_NOT_FOUND;
      }
      if (core.segments.kind(target.slot()) != SegmentKind.MEMORY) {
        return ErrorCode.INVALID_PARAMS;
      }
      if (!core.segments.isAllocatable(target.slot(), target.generation())) {
        return ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
      }
    }
    return ErrorCode.OK;
  }

  /** Whether a transfer of an object may start. */
  private ErrorCode checkObject(int row) {
    if (objects.has(row, ObjectRows.UPSERTING)) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    return objects.has(row, ObjectRows.REPLICATING)
        ? ErrorCode.OBJECT_HAS_REPLICATION_TASK
        : ErrorCode.OK;
  }

  private boolean isServed(int replica) {
    int slot = replicas.slot(replica);
    return core.segments.isServed(slot, core.slots.generation(slot));
  }

  /** The replica that is read: the one that is asked for, or the best; 0 when there is none. */
  private int source(int row, TransferWish wish) {
    if (wish.source().isPresent()) {
      SegmentMount mount = wish.source().get();
      int replica =
          core.segments.isLive(mount.slot(), mount.generation())
              ? core.replicaIn(row, mount.slot())
              : 0;
      return replica != 0 && replicas.status(replica) == IndexCore.COMPLETE ? replica : 0;
    }
    int best = 0;
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.status(r) == IndexCore.COMPLETE && rank(r) > (best == 0 ? -1 : rank(best))) {
        best = r;
      }
    }
    return best;
  }

  /** A source that can be read before one that cannot now, memory before disk. */
  private int rank(int replica) {
    return (isServed(replica) ? 2 : 0) + (replicas.type(replica) == IndexCore.MEMORY ? 1 : 0);
  }

  /**
   * Starts a copy or move. From OK on the extents are the index's.
   *
   * @param extents one for each missing target of {@link #check}, in that order
   * @param sink takes the answer when it is OK
   * @return what {@link #check} answers
   */
  public ErrorCode start(
      ObjectKey key, TransferWish wish, ExtentList extents, long nowMillis, TransferSink sink) {
    TransferCheck check = check(key, wish, nowMillis);
    if (check.code() != ErrorCode.OK) {
      return check.code();
    }
    int row = core.shard(key).find(key);
    ErrorCode code = extents.size() == 0 ? ErrorCode.OK : core.additions.check(row, extents);
    if (code != ErrorCode.OK || extents.size() != check.missing().size()) {
      return code == ErrorCode.OK ? ErrorCode.INVALID_PARAMS : code;
    }
    begin(
        row, source(row, wish), wish.task(), wish.type(), false, extents, wish.grantMillis(), sink);
    return ErrorCode.OK;
  }

  /** Starts what has been checked. */
  Transfer begin(
      int row,
      int source,
      UUID task,
      TaskType type,
      boolean drain,
      ExtentList extents,
      long grantMillis,
      TransferSink sink) {
    boolean byMooncake =
        core.segments.reach(replicas.slot(source)).owner() == ClientProtocol.MOONCAKE;
    long millis =
        byMooncake ? Math.max(grantMillis, core.config.mooncakeGrantMillis()) : grantMillis;
    long deadline = core.now() + Math.min(millis, ObjectRows.MAX_MILLIS);
    replicas.references(source, replicas.references(source) + 1);
    core.hold(source, deadline);
    objects.set(row, ObjectRows.REPLICATING);
    List<TransferTarget> targets = new ArrayList<>(extents.size());
    long[] ids = new long[extents.size()];
    if (extents.size() > 0) {
      core.additions.start(row, extents, deadline, added);
      for (int i = 0; i < ids.length; i++) {
        ids[i] = added.replicaId(i);
        targets.add(
            new TransferTarget(
                ids[i], extents.generation(i), extents.offsetUnits(i) * Extent.UNIT));
      }
    }
    Transfer transfer =
        new Transfer(
            task, type, drain, row, objects.version(row), core.replicaId(source), ids, deadline);
    byRow.put(row, transfer);
    byDeadline.add(transfer);
    core.settle(row);
    int slot = replicas.slot(source);
    sink.started(
        task,
        view.at(row),
        new TransferSink.Source(
            transfer.sourceId,
            ReplicaType.ofNumber(replicas.type(source)),
            slot,
            core.slots.generation(slot),
            replicas.offsetUnits(source) * Extent.UNIT),
        targets);
    return transfer;
  }

  // Ending

  /**
   * Ends a transfer whose targets have all bytes: readers may have them. Of a move the source is
   * removed; its extent waits until nobody can touch it. A drain has the object written to a disk
   * at its new home if it was on one, and takes the disk replica of the source's node along: at
   * once, or when that new disk has the object, if there is one.
   *
   * @param version the object's when the transfer was started
   */
  public EndedTransfer end(ObjectKey key, TaskType type, UUID task, long version, long nowMillis) {
    core.time(nowMillis);
    EndedTransfer ended = end(key, type, task, version);
    core.groups.deliverSome();
    return ended;
  }

  private EndedTransfer end(ObjectKey key, TaskType type, UUID task, long version) {
    int row = core.findComplete(key);
    ErrorCode code = check(row, type, task, version);
    if (code != ErrorCode.OK) {
      return EndedTransfer.refused(code);
    }
    Transfer transfer = byRow.get(row);
    int source = core.findReplica(row, transfer.sourceId);
    if (source == 0 || !isPossible(transfer, source)) {
      giveUp(transfer);
      return EndedTransfer.refused(ErrorCode.REPLICA_IS_GONE);
    }
    boolean move = type == TaskType.REPLICA_MOVE;
    int companion = move && transfer.drain ? diskCompanion(row, source) : 0;
    boolean disk = companion != 0 || replicas.type(source) == IndexCore.LOCAL_DISK;
    if (move && disk && core.floors.refused()) {
      return EndedTransfer.refused(ErrorCode.PERSISTENT_FAIL);
    }
    long bytes = objects.size(row);
    forget(transfer);
    release(source);
    int lost = 0;
    for (long id : transfer.targetIds) {
      int target = core.findReplica(row, id);
      if (target == 0) {
        lost++;
      } else {
        core.additions.commit(target);
      }
    }
    if (move && transfer.drain) {
      moved(row, source, companion, key.hash());
    } else if (move) {
      remove(row, source, key.hash());
      core.settle(row);
    } else {
      core.stats.replicasCopied += transfer.targetIds.length - lost;
      core.settle(row);
    }
    return new EndedTransfer(lost == 0 ? ErrorCode.OK : ErrorCode.REPLICA_IS_GONE, bytes);
  }

  /** A drain has moved an object; the companion of its source on disk, or 0, goes along. */
  private void moved(int row, int source, int companion, long hash) {
    boolean fromDisk = replicas.type(source) == IndexCore.LOCAL_DISK;
    int onDisk = fromDisk ? source : companion;
    boolean stays = onDisk != 0 && core.lanes.staysOnDisk(row, onDisk);
    if (!fromDisk) {
      remove(row, source, hash);
    }
    if (!stays) {
      remove(row, onDisk, hash);
    }
    core.settle(row);
    core.rehoming.moved(row, onDisk != 0);
    if (stays) {
      // Last, so that it is not woken by what was done here.
      core.lanes.moved(onDisk);
    }
  }

  /** Whether that transfer of that object, or 0, is under way. */
  private ErrorCode check(int row, TaskType type, UUID task, long version) {
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (objects.version(row) != version) {
      return ErrorCode.INVALID_VERSION;
    }
    Transfer transfer = byRow.get(row);
    if (transfer == null) {
      return ErrorCode.OBJECT_NO_REPLICATION_TASK;
    }
    if (!transfer.task.equals(task)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    return transfer.type == type ? ErrorCode.OK : ErrorCode.INVALID_PARAMS;
  }

  /** A target is left, or there was none to be written and another replica is there. */
  private boolean isPossible(Transfer transfer, int source) {
    for (long id : transfer.targetIds) {
      if (core.findReplica(transfer.row, id) != 0) {
        return true;
      }
    }
    if (transfer.targetIds.length > 0) {
      return false;
    }
    for (int r = replicas.first(transfer.row); r != 0; r = replicas.nextOfObject(r)) {
      if (r != source
          && replicas.status(r) == IndexCore.COMPLETE
          && replicas.type(r) == IndexCore.MEMORY) {
        return true;
      }
    }
    return false;
  }

  /** The replica on the disk of the node that has a replica in memory; 0 when there is none. */
  int diskCompanion(int row, int replica) {
    int disk =
        replicas.type(replica) == IndexCore.MEMORY
            ? core.segments.diskSlotOf(replicas.slot(replica))
            : -1;
    return disk < 0 ? 0 : core.replicaIn(row, disk);
  }

  /** Removes a replica, or none (0); one on disk with a floor, so that it stays removed. */
  void remove(int row, int replica, long hash) {
    if (replica != 0) {
      core.floors.raiseFor(replica, hash, objects.version(row) + 1);
      core.dropReplica(replica);
    }
  }

  /**
   * Gives a transfer up. The space of the targets comes back when their writer must have stopped.
   *
   * @return OK; what {@link #end} answers for a transfer that is not under way
   */
  public ErrorCode revoke(ObjectKey key, TaskType type, UUID task, long version, long nowMillis) {
    core.time(nowMillis);
    int row = core.findComplete(key);
    ErrorCode code = check(row, type, task, version);
    if (code == ErrorCode.OK) {
      giveUp(byRow.get(row));
    }
    core.groups.deliverSome();
    return code;
  }

  private void giveUp(Transfer transfer) {
    int row = transfer.row;
    forget(transfer);
    for (long id : transfer.targetIds) {
      int target = core.findReplica(row, id);
      if (target != 0) {
        core.dropReplica(target);
      }
    }
    int source = core.findReplica(row, transfer.sourceId);
    if (source != 0) {
      release(source);
    }
    core.settle(row);
  }

  private void release(int source) {
    int references = replicas.references(source) - 1;
    replicas.references(source, references);
    if (references == 0 || (references == 1 && core.offloads.waits(source))) {
      core.removeHold(source);
    }
  }

  private void forget(Transfer transfer) {
    byRow.remove(transfer.row);
    byDeadline.remove(transfer);
    objects.clear(transfer.row, ObjectRows.REPLICATING);
  }

  // What others ask

  /** The object is gone, or its value: what was under way comes to nothing. */
  void gone(int row) {
    Transfer transfer = objects.has(row, ObjectRows.REPLICATING) ? byRow.get(row) : null;
    if (transfer != null) {
      forget(transfer);
    }
  }

  /** Whether an object has a transfer that keeps it from being removed or overwritten. */
  boolean isInTheWay(int row) {
    if (!objects.has(row, ObjectRows.REPLICATING)) {
      return false;
    }
    Transfer transfer = byRow.get(row);
    return transfer == null || !transfer.drain;
  }

  /** How many are under way. */
  public int underWay() {
    return byRow.size();
  }

  /** When the next one runs out of its grant, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().deadlineMillis + 1;
  }

  /** Gives up what ran out of its grant. Answers whether none is left of that. */
  boolean reap(BooleanSupplier mayContinue) {
    while (nextMillis() <= core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Transfer transfer = byDeadline.first();
      giveUp(transfer);
      core.stats.transfersOverdue++;
      core.transferEffects.expired(transfer.task);
    }
    return true;
  }
}
