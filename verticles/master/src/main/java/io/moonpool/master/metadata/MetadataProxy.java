package io.moonpool.master.metadata;

import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.allocation.PublishedPlacement;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.ShardMail;
import io.moonpool.core.index.WriteTerms;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalKeeper;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to the metadata loops. Checks requests, cuts batches by owner, gathers the answers in the
 * order of the request. Any context may call; futures complete on it.
 */
public final class MetadataProxy implements SegmentSubscriber, JournalKeeper.Metadata {
  private static final int MAX_PAGE = 10_000;

  private static final String NO_SEGMENT =
      "no memory segment takes objects, since none is mounted or all of them are being drained or"
          + " unmounted: start a node with segment_bytes and this master, or look at the segments";

  private final MasterConfig config;
  private final TenantTable tenants;
  private final MetadataOwners owners;
  private final DrainProxy drains;
  private final LaneSpace laneSpace;
  private final DiskWorkListener diskWork;
  private final Journal journal;
  private final LongFunction<@Nullable String> segmentNames;
  private final PublishedPlacement placement;

  /**
   * The metadata loops of a master, not deployed yet.
   *
   * @param loops one owner each
   * @param clockMillis monotonic
   * @param placement where space is found
   * @param usage how full the pool is
   * @param segmentNames the name of the segment of a generation, null when it is gone; any thread
   * @param firstSequence where the sequences of the shards begin
   * @param journal what must be durable before answers goes there
   * @param remembered what the journal says; read before this returns
   * @param diskWork hears of work for disks, on any metadata loop
   */
  public MetadataProxy(
      MasterConfig config,
      List<MasterLoop> loops,
      LongSupplier clockMillis,
      PublishedPlacement placement,
      PoolUsage usage,
      LongFunction<@Nullable String> segmentNames,
      long firstSequence,
      Journal journal,
      JournalState remembered,
      DiskWorkListener diskWork) {
    this.diskWork = diskWork;
    this.config = config;
    this.journal = journal;
    this.tenants = new TenantTable(config, remembered.tenants());
    this.segmentNames = segmentNames;
    this.placement = placement;
    ShardMap shardMap = new ShardMap(loops.size());
    SpaceNeed need = new SpaceNeed();
    this.laneSpace = new LaneSpace(loops.size());
    SplittableRandom seeds = new SplittableRandom();
    this.owners =
        new MetadataOwners(
            shardMap,
            i ->
                new MetadataShards(
                    config,
                    loops.get(i),
                    loops.size(),
                    shardMap.first(i),
                    shardMap.end(i),
                    clockMillis,
                    placement,
                    usage,
                    need,
                    new Neighbours(i),
                    journal,
                    firstSequence,
                    seeds.nextLong()));
    owners.all().forEach(shards -> shards.restore(remembered));
    this.drains = new DrainProxy(owners, tenants, shardMap, laneSpace);
  }

  /** Makes the numbers of new tenants durable; before anything is stored. */
  public Future<Void> recordTenants() {
    List<JournalRecord> records = new ArrayList<>();
    tenants
        .added()
        .forEach((number, name) -> records.add(new JournalRecord.TenantNumbered(number, name)));
    return records.isEmpty() ? Future.succeededFuture() : journal.append(records);
  }

  @Override
  public Future<Long> nextSequence() {
    AtomicLong next = new AtomicLong();
    return owners
        .command(
            shards -> {
              next.accumulateAndGet(shards.index().nextSequence(), Math::max);
              return Future.succeededFuture();
            })
        .map(ignored -> next.get());
  }

  @Override
  public Future<Void> voidDisk(int disk, long deadBelow) {
    return owners.command(
        shards -> {
          shards.index().voidDisk(disk, deadBelow, shards.nowMillis());
          return Future.succeededFuture();
        });
  }

  @Override
  public long diskFloors() {
    long floors = 0;
    for (MetadataShards owner : owners.all()) {
      floors += owner.index().stats().diskFloors();
    }
    return floors;
  }

  @Override
  public long diskPatterns() {
    long most = 0;
    for (MetadataShards owner : owners.all()) {
      most = Math.max(most, owner.index().stats().diskPatterns());
    }
    return most;
  }

  /** What one loop needs of the others. */
  private final class Neighbours implements MetadataNeighbours {
    private final int loop;

    Neighbours(int loop) {
      this.loop = loop;
    }

    @Override
    public void spaceCame() {
      List<MetadataShards> all = owners.all();
      for (int other = 0; other < all.size(); other++) {
        if (laneSpace.claim(other)) {
          tell(other, all.get(other));
        }
      }
      if (laneSpace.claimByHand()) {
        drains.spaceCame();
      }
    }

    private void tell(int other, MetadataShards shards) {
      shards
          .loop()
          .queue()
          .post(
              () -> {
                laneSpace.heard(other);
                shards.spaceCame();
              });
    }

    @Override
    public void lanesConcern(boolean concerned) {
      laneSpace.concerns(loop, concerned);
    }

    @Override
    public void deliver(ShardMail letter) {
      owners.deliver(letter);
    }

    @Override
    public void workFor(SegmentMount disk) {
      diskWork.workFor(disk);
    }

    @Override
    public long comingBytes() {
      long bytes = 0;
      for (MetadataShards owner : owners.all()) {
        bytes += owner.evictor().comingBytes();
      }
      return bytes;
    }
  }

  MetadataOwners owners() {
    return owners;
  }

  /** The way into the indexes before their loops run. */
  public RestoredObjects restored() {
    return new RestoredObjects(owners);
  }

  /** The way here for what nodes say about their disks. */
  public DiskProxy disks() {
    return new DiskProxy(owners, tenants, config.maxSoftPinTtlMillis());
  }

  /** The way here for copies, moves and drain jobs. */
  public DrainProxy drains() {
    return drains;
  }

  /** The verticles to deploy, each on its loop. */
  public List<MetadataVerticle> verticles() {
    return owners.all().stream().map(MetadataVerticle::new).toList();
  }

  /** See {@link io.moonpool.master.MasterOperations#putStart}. */
  public Future<List<Outcome<StartedObject>>> putStart(
      StartObjects request, ClientProtocol writer) {
    return start(StartCall.Kind.PUT, request, writer);
  }

  /** See {@link io.moonpool.master.MasterOperations#upsertStart}. */
  public Future<List<Outcome<StartedObject>>> upsertStart(
      StartObjects request, ClientProtocol writer) {
    return start(StartCall.Kind.UPSERT, request, writer);
  }

  private Future<List<Outcome<StartedObject>>> start(
      StartCall.Kind kind, StartObjects request, ClientProtocol writer) {
    StartCall call;
    try {
      int tenant = tenants.writer(request.tenant());
      checkSize(request.keys());
      checkCount("sizes", request.sizes().length, request.keys());
      if (request.avoided().length > StartObjects.MAX_AVOIDED) {
        throw invalid("at most " + StartObjects.MAX_AVOIDED + " segments can be avoided");
      }
      call = new StartCall(kind, tenant, request, terms(request, writer), writer);
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
    if (!request.config().preferAllocInSameNode() || request.keys().size() < 2) {
      return owners.run(call).compose(this::explained);
    }
    // The first key decides where the others go.
    return owners
        .runFirst(call)
        .compose(
            ignored -> {
              preferSegmentOf(call);
              return owners.runUnsettled(call);
            })
        .compose(this::explained);
  }

  /**
   * A call of which nothing came since there is no segment fails with words that say so: who is
   * told of a full pool would add memory to it.
   */
  private Future<List<Outcome<StartedObject>>> explained(List<Outcome<StartedObject>> started) {
    boolean nowhere =
        placement.current().isEmpty()
            && !started.isEmpty()
            && started.stream().allMatch(each -> each.code() == ErrorCode.NO_AVAILABLE_HANDLE);
    return nowhere
        ? Future.failedFuture(new StoreException(ErrorCode.NO_AVAILABLE_HANDLE, NO_SEGMENT))
        : Future.succeededFuture(started);
  }

  private void preferSegmentOf(StartCall call) {
    StartedObject first = call.results().getFirst().value();
    String name =
        first == null ? null : segmentNames.apply(first.replicas().getFirst().generation());
    if (name != null) {
      call.prefer(List.of(name));
    }
  }

  private WriteTerms terms(StartObjects request, ClientProtocol writer) {
    ReplicateConfig wish = request.config();
    if (wish.replicaNum() < 1) {
      throw invalid("replica_num must be at least 1, not " + wish.replicaNum());
    }
    if (!wish.groupIds().isEmpty()) {
      checkCount("group_ids", wish.groupIds().size(), request.keys());
    }
    return new WriteTerms(
        request.writer(),
        config.writeGrantMillis(writer),
        wish.softPinAction(),
        softPinTtlMillis(wish),
        wish.hardPin(),
        wish.dataType());
  }

  private long softPinTtlMillis(ReplicateConfig wish) {
    if (wish.softPinAction() != SoftPinAction.ENABLE) {
      if (wish.softPinTtlMillis().isPresent()) {
        throw invalid("soft_pin_ttl_ms goes with soft_pin_action ENABLE only");
      }
      return 0;
    }
    long ttlMillis = wish.softPinTtlMillis().orElse(config.defaultSoftPinTtlMillis());
    if (ttlMillis < 0 || ttlMillis > config.maxSoftPinTtlMillis()) {
      throw invalid(
          "soft_pin_ttl_ms must be 0 to "
              + config.maxSoftPinTtlMillis()
              + " (max_soft_pin_ttl_ms), not "
              + ttlMillis);
    }
    return ttlMillis;
  }

  /** See {@link io.moonpool.master.MasterOperations#end}. */
  public Future<List<Outcome<Void>>> end(EndObjects request) {
    return inTenant(
        request.tenant(),
        tenant -> {
          checkCount("versions", request.versions().length, request.keys());
          checkCount("checksums", request.checksums().size(), request.keys());
          return new EndCall(tenant, request);
        });
  }

  /** See {@link io.moonpool.master.MasterOperations#revoke}. */
  public Future<List<Outcome<Void>>> revoke(RevokeObjects request) {
    return inTenant(
        request.tenant(),
        tenant -> {
          checkCount("versions", request.versions().length, request.keys());
          return new RevokeCall(tenant, request);
        });
  }

  /** See {@link io.moonpool.master.MasterOperations#locate}. */
  public Future<List<Outcome<LocatedObject>>> locate(NamedObjects request) {
    return inTenant(request.tenant(), tenant -> new LocateCall(tenant, request));
  }

  /** See {@link io.moonpool.master.MasterOperations#exists}. */
  public Future<List<Outcome<Boolean>>> exists(NamedObjects request) {
    try {
      int tenant = tenants.reader(request.tenant());
      checkSize(request.keys());
      ExistsCall call = new ExistsCall(tenant, request);
      if (tenant == TenantTable.NOBODY) {
        call.noneExist();
        return Future.succeededFuture(call.results());
      }
      return owners.run(call);
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  /** See {@link io.moonpool.master.MasterOperations#remove}. */
  public Future<List<Outcome<Void>>> remove(RemoveObjects request) {
    try {
      return inTenant(tenants.remover(request.tenant()), tenant -> new RemoveCall(tenant, request));
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  /** Makes a call for a tenant; when nothing can be there, no item is found. */
  private <T> Future<List<Outcome<T>>> inTenant(String tenantName, IntFunction<KeyedCall<T>> make) {
    try {
      return inTenant(tenants.reader(tenantName), make);
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  private <T> Future<List<Outcome<T>>> inTenant(int tenant, IntFunction<KeyedCall<T>> make) {
    try {
      KeyedCall<T> call = make.apply(tenant);
      checkSize(call.keys());
      if (tenant == TenantTable.NOBODY) {
        call.failRest(ErrorCode.OBJECT_NOT_FOUND);
        return Future.succeededFuture(call.results());
      }
      return owners.run(call);
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  private void checkSize(KeyBatch keys) {
    if (keys.size() > config.maxBatchKeys()) {
      throw invalid(
          "there are "
              + keys.size()
              + " keys: send at most "
              + config.maxBatchKeys()
              + " (max_batch_keys) in a call");
    }
  }

  private static void checkCount(String what, int count, KeyBatch keys) {
    if (count != keys.size()) {
      throw invalid("there are " + keys.size() + " keys but " + count + " " + what + ": one a key");
    }
  }

  private static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }

  @Override
  public Future<Void> apply(List<SegmentChange> changes) {
    if (changes.isEmpty()) {
      return Future.succeededFuture();
    }
    return owners.command(
        shards -> {
          shards.apply(changes);
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<Void> sweep(int slot, long generation) {
    return owners.command(shards -> shards.sweep(slot, generation));
  }

  /** See {@link io.moonpool.master.MasterOperations#describe}. */
  public Future<List<Outcome<ObjectInfo>>> describe(NamedObjects request) {
    return inTenant(
        request.tenant(), tenant -> new DescribeCall(tenant, tenants.name(tenant), request));
  }

  /** See {@link io.moonpool.master.MasterOperations#removeMatching}. */
  public Future<Long> removeMatching(RemoveMatching request, BooleanSupplier callerGone) {
    try {
      int tenant = tenants.remover(request.tenant());
      KeyPattern pattern = KeyPattern.of(tenant, request.pattern());
      if (tenant == TenantTable.NOBODY) {
        return Future.succeededFuture(0L);
      }
      ShardWalk.Removing walk = new ShardWalk.Removing(pattern, request.force(), callerGone);
      return walk.run(owners).map(ignored -> walk.removed());
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  /** See {@link io.moonpool.master.MasterOperations#list}. */
  public Future<ObjectPage> list(ListObjects request, BooleanSupplier callerGone) {
    try {
      int tenant = tenants.reader(request.tenant());
      KeyPattern pattern = KeyPattern.of(tenant, request.pattern());
      if (request.limit() < 1 || request.limit() > MAX_PAGE) {
        throw invalid("limit must be 1 to " + MAX_PAGE + ", not " + request.limit());
      }
      if (!ObjectIndex.isCursor(request.cursor())) {
        throw invalid(
            "cursor must be 0 for the first page, then what the page before answered, not "
                + request.cursor());
      }
      if (tenant == TenantTable.NOBODY) {
        return Future.succeededFuture(new ObjectPage(List.of(), 0));
      }
      ShardWalk.Listing walk =
          new ShardWalk.Listing(
              pattern, tenants.name(tenant), request.cursor(), request.limit(), callerGone);
      return walk.run(owners).map(ignored -> new ObjectPage(walk.objects(), walk.cursor()));
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  /** What the loops hold and did; from any thread. */
  public MetadataStats stats() {
    return MetadataStats.of(owners.all());
  }
}
