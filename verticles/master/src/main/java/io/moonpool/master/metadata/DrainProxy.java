package io.moonpool.master.metadata;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.TransferCheck;
import io.moonpool.core.index.TransferWish;
import io.moonpool.core.index.Transfers;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way to the metadata loops for copies, moves and drain jobs. Any context may call; futures
 * complete on it. They fail only when a loop's queue is full ({@link
 * ErrorCode#UNAVAILABLE_IN_CURRENT_STATUS}), and those that end something never; everything else is
 * an answer.
 */
public final class DrainProxy {
  private final MetadataOwners owners;
  private final TenantTable tenants;
  private final ShardMap shardMap;
  private final LaneSpace space;

  // Set before the loops start.
  private volatile @Nullable LaneListener listener;

  DrainProxy(MetadataOwners owners, TenantTable tenants, ShardMap shardMap, LaneSpace space) {
    this.owners = owners;
    this.tenants = tenants;
    this.shardMap = shardMap;
    this.space = space;
  }

  /** How many loops there are; they are numbered from 0. */
  public int loops() {
    return shardMap.loops();
  }

  /** Names who hears of lanes and transfers on all loops; before they start. */
  public void listen(LaneListener hearing) {
    listener = hearing;
    for (int loop = 0; loop < loops(); loop++) {
      owners.all().get(loop).listen(loop, hearing);
    }
  }

  /**
   * Has {@link LaneListener#spaceCame} called when space becomes free the next time. What is freed
   * before this returns may not be told: look again afterwards.
   */
  public void wantSpace() {
    space.wantByHand();
  }

  /** Space became free, and somebody wanted to know. Any metadata loop. */
  void spaceCame() {
    LaneListener hearing = listener;
    if (hearing != null) {
      hearing.spaceCame();
    }
  }

  // Transfers by hand

  /**
   * Starts a copy or move: its source is held, and its targets are reserved.
   *
   * @return what {@link Transfers#check} answers; NO_AVAILABLE_HANDLE when a target has no room
   *     now: try again when there may be some; TENANT_NOT_REGISTERED
   */
  public Future<Outcome<StartedTransfer>> start(TransferRequest request) {
    TransferWish wish =
        new TransferWish(
            request.type(),
            request.taskId(),
            request.source(),
            request.targets(),
            request.grantMillis());
    return onKey(
        owners::call,
        request.tenant(),
        request.key(),
        Outcome::error,
        (shards, key) -> start(shards, key, wish));
  }

  private Outcome<StartedTransfer> start(MetadataShards shards, ObjectKey key, TransferWish wish) {
    Transfers transfers = shards.index().transfers();
    TransferCheck check = transfers.check(key, wish, shards.nowMillis());
    if (check.code() != ErrorCode.OK) {
      return Outcome.error(check.code());
    }
    shards.extents().clear();
    for (SegmentMount target : check.missing()) {
      AllocationResult space = shards.allocateOn(target, check.size());
      if (space != AllocationResult.ALLOCATED) {
        shards.giveBack();
        return Outcome.error(space.code());
      }
    }
    StartedTransferSink sink = new StartedTransferSink(tenants, wish.type(), false);
    ErrorCode code = transfers.start(key, wish, shards.extents(), shards.nowMillis(), sink);
    if (code != ErrorCode.OK) {
      shards.giveBack();
      return Outcome.error(code);
    }
    return Outcome.of(sink.last());
  }

  /**
   * Ends a transfer, by hand or of a drain job: see {@link Transfers#end}. What it removes from
   * disks is durable before the answer.
   */
  public Future<ErrorCode> end(TransferId id) {
    return onKey(
        this::command,
        id.tenant(),
        id.key(),
        code -> code,
        (shards, key) ->
            shards
                .index()
                .transfers()
                .end(key, id.type(), id.taskId(), id.version(), shards.nowMillis())
                .code());
  }

  /**
   * Gives a transfer up, by hand or of a drain job: see {@link Transfers#revoke}. The unit of a
   * drain job stays with who took it.
   */
  public Future<ErrorCode> revoke(TransferId id) {
    return onKey(
        this::command,
        id.tenant(),
        id.key(),
        code -> code,
        (shards, key) ->
            shards
                .index()
                .transfers()
                .revoke(key, id.type(), id.taskId(), id.version(), shards.nowMillis()));
  }

  /** How something gets to a loop. */
  private interface Way {
    <T> Future<T> run(int owner, Function<MetadataShards, Future<T>> body);
  }

  /** As a command that is never refused: there is one for each transfer that was started. */
  private <T> Future<T> command(int owner, Function<MetadataShards, Future<T>> body) {
    MetadataShards shards = owners.all().get(owner);
    return shards.loop().command(() -> body.apply(shards));
  }

  /** Does something with one key on its loop; answers when its floors are durable. */
  private <T> Future<T> onKey(
      Way way,
      String tenantName,
      byte[] bytes,
      Function<ErrorCode, T> refused,
      BiFunction<MetadataShards, ObjectKey, T> body) {
    int tenant;
    try {
      tenant = tenants.reader(tenantName);
    } catch (StoreException e) {
      return Future.succeededFuture(refused.apply(e.code()));
    }
    if (tenant == TenantTable.NOBODY) {
      return Future.succeededFuture(refused.apply(ErrorCode.TENANT_NOT_REGISTERED));
    }
    long hash = KeyHash.of(tenant, bytes, 0, bytes.length);
    return way.run(
        shardMap.owner(hash),
        shards -> {
          ObjectKey key = shards.key();
          key.set(bytes, 0, bytes.length, tenant, hash);
          return shards.durably(refused, () -> body.apply(shards, key));
        });
  }

  // Drain jobs

  /**
   * Opens the lanes of a job, one a loop, in place of those that it has. Its sources take no new
   * replicas any more, and are of no other job.
   */
  public Future<Void> openLane(LaneSpec spec) {
    return owners.command(shards -> shards.openLane(spec));
  }

  /**
   * Starts units of a lane: holds their sources, chooses targets with room and reserves it.
   *
   * @param loop 0 to before {@link #loops}
   * @param maxUnits at most so many
   * @param maxBytes no further unit once so many bytes were started
   * @return fails with JOB_NOT_FOUND when the lane is not open
   */
  public Future<LaneBatch> take(int loop, UUID job, int maxUnits, long maxBytes) {
    return owners.call(
        loop,
        shards ->
            shards.index().lanes().isOpen(job)
                ? new LaneTake(shards, tenants, job, maxUnits, maxBytes).start()
                : Future.failedFuture(LaneTake.notOpen(job)));
  }

  /** A unit's attempt has failed: it is tried again, behind the others. */
  public Future<Void> again(int loop, UUID job, UnitRef unit) {
    return settle(
        loop,
        unit,
        (shards, key) ->
            shards.index().lanes().again(job, key, unit.replicaId(), shards.nowMillis()));
  }

  /** A unit has failed for good: it stays where it is. */
  public Future<Void> fail(int loop, UUID job, UnitRef unit) {
    return settle(
        loop,
        unit,
        (shards, key) ->
            shards.index().lanes().fail(job, key, unit.replicaId(), shards.nowMillis()));
  }

  private Future<Void> settle(int loop, UnitRef unit, BiConsumer<MetadataShards, ObjectKey> body) {
    int tenant = tenants.reader(unit.tenant());
    byte[] key = unit.key();
    MetadataShards owner = owners.all().get(loop);
    return owner
        .loop()
        .command(
            () -> {
              body.accept(owner, owner.key().set(key, 0, key.length, tenant));
              return Future.succeededFuture();
            });
  }

  /** How far all lanes of a job are together. What it says has left a disk is durable. */
  public Future<LaneStatus> status(UUID job) {
    return onAll(
            shards -> {
              LaneStatus status = LaneReports.status(shards, tenants, job);
              return shards
                  .floors()
                  .durable()
                  .recover(failure -> Future.succeededFuture()) // tried again with the journal
                  .map(durable -> status);
            })
        .map(LaneStatus::sum);
  }

  /** Closes the lanes of a job. What was started is ended or revoked as before. */
  public Future<Void> closeLane(UUID job) {
    return owners.command(
        shards -> {
          shards.closeLane(job);
          return Future.succeededFuture();
        });
  }

  /**
   * What a job would do; walks over its sources in slices and changes nothing. Its sources may
   * still take new replicas.
   */
  public Future<LanePlan> plan(LaneSpec spec) {
    return onAll(shards -> LaneReports.survey(shards, tenants, spec)).map(LaneReports::plan);
  }

  /** Asks every loop. */
  private <T> Future<List<T>> onAll(Function<MetadataShards, Future<T>> body) {
    List<Future<T>> parts = new ArrayList<>(loops());
    for (int loop = 0; loop < loops(); loop++) {
      parts.add(owners.call(loop, body));
    }
    return Future.all(parts).map(all -> parts.stream().map(Future::result).toList());
  }
}
