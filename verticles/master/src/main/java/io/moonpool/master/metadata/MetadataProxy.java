package io.moonpool.master.metadata;

import io.moonpool.core.allocation.PublishedPlacement;
import io.moonpool.core.index.IndexStats;
import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ShardMail;
import io.moonpool.core.index.WriteTerms;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.loop.MasterLoop;
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
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to the metadata loops. Checks requests, cuts batches by owner, gathers the answers in the
 * order of the request. Any context may call; futures complete on it.
 */
public final class MetadataProxy implements SegmentSubscriber {
  private final MasterConfig config;
  private final TenantTable tenants;
  private final ShardMap shardMap;
  private final List<MetadataVerticle> owners;
  private final LongFunction<@Nullable String> segmentNames;

  /**
   * The metadata loops of a master, not deployed yet.
   *
   * @param loops one owner each
   * @param clockMillis monotonic
   * @param placement where space is found
   * @param segmentNames the name of the segment of a generation, null when it is gone; any thread
   * @param firstSequence where the sequences of the shards begin
   */
  public MetadataProxy(
      MasterConfig config,
      List<MasterLoop> loops,
      LongSupplier clockMillis,
      PublishedPlacement placement,
      LongFunction<@Nullable String> segmentNames,
      long firstSequence) {
    this.config = config;
    this.tenants = new TenantTable(config);
    this.shardMap = new ShardMap(loops.size());
    this.segmentNames = segmentNames;
    SplittableRandom seeds = new SplittableRandom();
    List<MetadataVerticle> verticles = new ArrayList<>();
    for (int i = 0; i < loops.size(); i++) {
      verticles.add(
          new MetadataVerticle(
              new MetadataShards(
                  config,
                  loops.get(i),
                  shardMap.first(i),
                  shardMap.end(i),
                  clockMillis,
                  placement,
                  this::deliver,
                  firstSequence,
                  seeds.nextLong())));
    }
    this.owners = List.copyOf(verticles);
  }

  /** Takes mail to the loop that owns its shard; posted in the order in which it was sent. */
  private void deliver(ShardMail letter) {
    MetadataShards shards = owners.get(shardMap.ownerOfShard(letter.shard())).shards();
    shards.loop().queue().post(() -> shards.accept(letter));
  }

  /** The verticles to deploy, each on its loop. */
  public List<MetadataVerticle> verticles() {
    return owners;
  }

  /** See {@link io.moonpool.master.MasterOperations#putStart}. */
  public Future<List<Outcome<StartedObject>>> putStart(StartObjects request) {
    return start(StartCall.Kind.PUT, request);
  }

  /** See {@link io.moonpool.master.MasterOperations#upsertStart}. */
  public Future<List<Outcome<StartedObject>>> upsertStart(StartObjects request) {
    return start(StartCall.Kind.UPSERT, request);
  }

  private Future<List<Outcome<StartedObject>>> start(StartCall.Kind kind, StartObjects request) {
    StartCall call;
    try {
      int tenant = tenants.writer(request.tenant());
      checkCount("sizes", request.sizes().length, request.keys());
      call = new StartCall(kind, tenant, request, terms(request));
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
    if (!request.config().preferAllocInSameNode() || request.keys().size() < 2) {
      return run(call);
    }
    // The first key decides where the others go.
    return part(call, owner(call, 0), new int[] {0}, 1)
        .compose(
            ignored -> {
              preferSegmentOf(call);
              return runRest(call);
            });
  }

  private void preferSegmentOf(StartCall call) {
    StartedObject first = call.results().getFirst().value();
    String name =
        first == null ? null : segmentNames.apply(first.replicas().getFirst().generation());
    if (name != null) {
      call.prefer(List.of(name));
    }
  }

  private WriteTerms terms(StartObjects request) {
    ReplicateConfig wish = request.config();
    if (wish.replicaNum() < 1) {
      throw invalid("replica_num must be at least 1, not " + wish.replicaNum());
    }
    if (!wish.groupIds().isEmpty()) {
      checkCount("group_ids", wish.groupIds().size(), request.keys());
    }
    return new WriteTerms(
        request.writer(),
        config.writeGrantMillis(),
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
      ExistsCall call = new ExistsCall(tenant, request);
      if (tenant == TenantTable.NOBODY) {
        call.noneExist();
        return Future.succeededFuture(call.results());
      }
      return run(call);
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  /** See {@link io.moonpool.master.MasterOperations#remove}. */
  public Future<List<Outcome<Void>>> remove(RemoveObjects request) {
    return inTenant(request.tenant(), tenant -> new RemoveCall(tenant, request));
  }

  /** Makes a call for a tenant; when nothing can be there, no item is found. */
  private <T> Future<List<Outcome<T>>> inTenant(String tenantName, IntFunction<KeyedCall<T>> make) {
    try {
      int tenant = tenants.reader(tenantName);
      KeyedCall<T> call = make.apply(tenant);
      if (tenant == TenantTable.NOBODY) {
        call.failRest(ErrorCode.OBJECT_NOT_FOUND);
        return Future.succeededFuture(call.results());
      }
      return run(call);
    } catch (StoreException e) {
      return Future.failedFuture(e);
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

  private <T> Future<List<Outcome<T>>> run(KeyedCall<T> call) {
    if (shardMap.loops() == 1) {
      Future<Void> only = part(call, 0, null, call.keys().size());
      return only.isComplete() && only.succeeded()
          ? Future.succeededFuture(call.results())
          : only.map(ignored -> call.results());
    }
    return runRest(call);
  }

  /** Runs the items that have no result yet. */
  private <T> Future<List<Outcome<T>>> runRest(KeyedCall<T> call) {
    int count = call.keys().size();
    int[] counts = new int[shardMap.loops()];
    byte[] ownerOf = new byte[count];
    int left = 0;
    for (int i = 0; i < count; i++) {
      if (!call.isSettled(i)) {
        int owner = owner(call, i);
        ownerOf[i] = (byte) owner;
        counts[owner]++;
        left++;
      }
    }
    int[][] positions = new int[counts.length][];
    List<Future<Void>> parts = new ArrayList<>(counts.length);
    int[] filled = new int[counts.length];
    for (int i = 0; i < count && left > 0; i++) {
      if (call.isSettled(i)) {
        continue;
      }
      int owner = ownerOf[i] & 0xff;
      int[] mine = positions[owner];
      if (mine == null) {
        mine = new int[counts[owner]];
        positions[owner] = mine;
      }
      mine[filled[owner]++] = i;
    }
    // Started only now: an inline part settles items, which the loops above must not see.
    for (int owner = 0; owner < counts.length; owner++) {
      if (counts[owner] > 0) {
        parts.add(part(call, owner, positions[owner], counts[owner]));
      }
    }
    return Future.join(parts)
        .transform(
            ignored -> {
              if (!parts.isEmpty() && parts.stream().allMatch(Future::failed)) {
                return Future.failedFuture(parts.getFirst().cause());
              }
              // Parts that a full queue refused.
              call.failRest(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
              return Future.succeededFuture(call.results());
            });
  }

  private int owner(KeyedCall<?> call, int index) {
    KeyBatch keys = call.keys();
    return shardMap.owner(
        KeyHash.of(call.tenant(), keys.bytes(), keys.offset(index), keys.length(index)));
  }

  private Future<Void> part(KeyedCall<?> call, int owner, int @Nullable [] positions, int count) {
    MetadataShards shards = owners.get(owner).shards();
    BatchPart part = new BatchPart(call, shards, positions, count);
    return shards.loop().call(part::start);
  }

  @Override
  public Future<Void> apply(List<SegmentChange> changes) {
    if (changes.isEmpty()) {
      return Future.succeededFuture();
    }
    return onEveryOwner(
        shards -> {
          shards.apply(changes);
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<Void> sweep(int slot, long generation) {
    return onEveryOwner(shards -> shards.sweep(slot, generation));
  }

  /** See {@link io.moonpool.master.MasterOperations#describe}. */
  public Future<List<Outcome<ObjectInfo>>> describe(NamedObjects request) {
    return Future.failedFuture(new StoreException(ErrorCode.NOT_SUPPORTED));
  }

  /** See {@link io.moonpool.master.MasterOperations#removeMatching}. */
  public Future<Long> removeMatching(RemoveMatching request) {
    return Future.failedFuture(new StoreException(ErrorCode.NOT_SUPPORTED));
  }

  /** See {@link io.moonpool.master.MasterOperations#list}. */
  public Future<ObjectPage> list(ListObjects request) {
    return Future.failedFuture(new StoreException(ErrorCode.NOT_SUPPORTED));
  }

  /** What the loops hold and did; from any thread. */
  public MetadataStats stats() {
    long objects = 0;
    long quarantined = 0;
    long evicted = 0;
    long evictedBytes = 0;
    long reaped = 0;
    for (MetadataVerticle owner : owners) {
      IndexStats stats = owner.shards().index().stats();
      objects += stats.objects() + stats.writesInProgress();
      quarantined += stats.quarantinedBytes();
      evicted += stats.objectsEvicted();
      evictedBytes += stats.bytesEvicted();
      reaped += stats.writesReaped();
    }
    return new MetadataStats(objects, quarantined, evicted, evictedBytes, reaped);
  }

  private Future<Void> onEveryOwner(Function<MetadataShards, Future<Void>> body) {
    List<Future<Void>> all = new ArrayList<>(owners.size());
    for (MetadataVerticle owner : owners) {
      all.add(owner.loop().command(() -> body.apply(owner.shards())));
    }
    return Future.all(all).mapEmpty();
  }
}
