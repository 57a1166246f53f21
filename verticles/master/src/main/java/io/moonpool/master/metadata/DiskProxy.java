package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.SegmentOffload;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.loop.StepBudget;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.MemoryOnly;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.SettledPromotion;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The way to the metadata loops for what nodes say about their disks. Any context may call; futures
 * complete on it.
 */
public final class DiskProxy {
  /** So many objects are named where they may be many. */
  private static final int FIRST = 10;

  private final MetadataOwners owners;
  private final TenantTable tenants;
  private final long maxSoftPinMillis;

  DiskProxy(MetadataOwners owners, TenantTable tenants, long maxSoftPinMillis) {
    this.owners = owners;
    this.tenants = tenants;
    this.maxSoftPinMillis = maxSoftPinMillis;
  }

  /** See {@link ObjectIndex#reportDisk}. */
  public Future<List<Outcome<Void>>> report(SegmentMount disk, List<DiskObject> objects) {
    return run(
        objects,
        DiskObject::tenant,
        numbers -> new ReportDiskCall(disk, objects, numbers, maxSoftPinMillis));
  }

  /** See {@link ObjectIndex#settleOffload}. */
  public Future<List<Outcome<Void>>> settle(SegmentMount disk, List<SettledOffload> offloads) {
    return run(
        offloads,
        SettledOffload::tenant,
        numbers -> new SettleOffloadsCall(disk, offloads, numbers));
  }

  /** See {@link io.moonpool.core.index.Promotions#settle}. */
  public Future<List<Outcome<Void>>> settlePromotions(
      SegmentMount disk, List<SettledPromotion> promotions) {
    return run(
        promotions,
        SettledPromotion::tenant,
        numbers -> new SettlePromotionsCall(disk, promotions, numbers));
  }

  /** See {@link ObjectIndex#dropDisk}. */
  public Future<List<Outcome<Void>>> drop(SegmentMount disk, List<DiskRecord> records) {
    return run(records, DiskRecord::tenant, numbers -> new DropDiskCall(disk, records, numbers));
  }

  /** Items of tenants that are not registered fail; the others are done. */
  private <I> Future<List<Outcome<Void>>> run(
      List<I> items, Function<I, String> tenant, Function<int[], DiskCall<I>> make) {
    if (items.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    int[] numbers = new int[items.size()];
    boolean[] unknown = new boolean[items.size()];
    boolean anyUnknown = false;
    for (int i = 0; i < numbers.length; i++) {
      try {
        numbers[i] = tenants.reader(tenant.apply(items.get(i)));
      } catch (StoreException e) {
        numbers[i] = TenantTable.NOBODY;
      }
      if (numbers[i] == TenantTable.NOBODY) {
        unknown[i] = true;
        anyUnknown = true;
        numbers[i] = 0;
      }
    }
    DiskCall<I> call = make.apply(numbers);
    if (!anyUnknown) {
      return owners.run(call);
    }
    for (int i = 0; i < unknown.length; i++) {
      if (unknown[i]) {
        call.fail(i, ErrorCode.TENANT_NOT_REGISTERED);
      }
    }
    return owners.runUnsettled(call);
  }

  /** See {@link ObjectIndex#completeScan}; on every loop. */
  public Future<Void> completeScan(SegmentMount disk) {
    return owners.command(
        shards -> {
          ErrorCode code =
              shards.index().completeScan(disk.slot(), disk.generation(), shards.nowMillis());
          return code == ErrorCode.OK
              ? Future.succeededFuture()
              : Future.failedFuture(new StoreException(code));
        });
  }

  /**
   * What there is to do for a disk now, of all loops.
   *
   * @param request what its node can do now
   */
  public Future<DiskWork> take(SegmentMount disk, WorkRequest request) {
    WorkRequest share = request.share(owners.all().size());
    List<Future<DiskWork>> parts = new ArrayList<>();
    for (int owner = 0; owner < owners.all().size(); owner++) {
      parts.add(owners.call(owner, shards -> Future.succeededFuture(take(shards, disk, share))));
    }
    // A loop whose queue is full is asked the next time.
    return Future.join(parts).transform(joined -> merged(parts));
  }

  private static Future<DiskWork> merged(List<Future<DiskWork>> parts) {
    List<OffloadTask> offloads = new ArrayList<>();
    List<PromotionTask> promotions = new ArrayList<>();
    List<DiskRecord> dead = new ArrayList<>();
    for (Future<DiskWork> part : parts) {
      if (part.succeeded()) {
        offloads.addAll(part.result().offloads());
        promotions.addAll(part.result().promotions());
        dead.addAll(part.result().dead());
      }
    }
    return Future.succeededFuture(new DiskWork(offloads, promotions, dead, 0));
  }

  private DiskWork take(MetadataShards shards, SegmentMount disk, WorkRequest request) {
    long nowMillis = shards.nowMillis();
    List<OffloadTask> offloads = new ArrayList<>();
    List<DiskRecord> dead = new ArrayList<>();
    shards
        .index()
        .takeDropped(
            disk.slot(),
            disk.generation(),
            request.maxTasks(),
            nowMillis,
            (tenant, key, offset, length, version) ->
                dead.add(
                    new DiskRecord(
                        tenants.name(tenant),
                        Arrays.copyOfRange(key, offset, offset + length),
                        version)));
    shards
        .index()
        .takeOffloads(
            disk.slot(),
            disk.generation(),
            request.maxTasks(),
            nowMillis,
            (object, replicaId, generation, offset, readUntilMillis) -> {
              offloads.add(
                  new OffloadTask(
                      ObjectForNodes.of(object, tenants),
                      replicaId,
                      generation,
                      offset,
                      readUntilMillis - nowMillis));
            });
    List<PromotionTask> promotions =
        new PromotionStarter(shards, disk, nowMillis)
            .start(request, object -> ObjectForNodes.of(object, tenants));
    return new DiskWork(offloads, promotions, dead, 0);
  }

  /**
   * See {@link ObjectIndex#offloadSegment}; on every loop, in slices.
   *
   * @return what remains, with the first few objects
   */
  public Future<MemoryOnly> offloadSegment(SegmentMount segment) {
    List<Future<MemoryOnly>> parts = new ArrayList<>();
    for (int owner = 0; owner < owners.all().size(); owner++) {
      parts.add(owners.call(owner, shards -> offloadSegment(shards, segment)));
    }
    return Future.join(parts)
        .map(
            joined -> {
              List<MemoryOnly> all = parts.stream().map(Future::result).toList();
              return new MemoryOnly(
                  all.stream().mapToLong(MemoryOnly::objects).sum(),
                  all.stream().mapToLong(MemoryOnly::bytes).sum(),
                  all.stream().mapToLong(MemoryOnly::writes).sum(),
                  all.stream().flatMap(part -> part.first().stream()).limit(FIRST).toList());
            });
  }

  private Future<MemoryOnly> offloadSegment(MetadataShards shards, SegmentMount segment) {
    List<DiskRecord> first = new ArrayList<>();
    SegmentOffload walk =
        shards
            .index()
            .offloadSegment(
                segment.slot(),
                segment.generation(),
                object -> {
                  if (first.size() < FIRST) {
                    first.add(
                        new DiskRecord(
                            tenants.name(object.tenant()),
                            ObjectForNodes.key(object),
                            object.version()));
                  }
                  return true;
                });
    StepBudget budget = new StepBudget();
    return shards
        .loop()
        .sweeps()
        .start(() -> !walk.step(shards.nowMillis(), budget.start()))
        .map(done -> new MemoryOnly(walk.objects(), walk.bytes(), walk.writes(), first));
  }

  /** See {@link ObjectIndex#ackDropped}; in the order given, each on the loop that owns its key. */
  public Future<Void> acknowledge(SegmentMount disk, List<DiskRecord> records) {
    return run(records, DiskRecord::tenant, numbers -> new AckDroppedCall(disk, records, numbers))
        .mapEmpty();
  }
}
