package io.moonpool.master.metadata;

import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ShardMail;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metadata loops and which of them owns what. Cuts a batch into the parts of its owners and
 * waits for all of them. Any context may call; futures complete on it.
 */
final class MetadataOwners {
  private final ShardMap shardMap;
  private final List<MetadataShards> owners;

  /**
   * Owners on those loops.
   *
   * @param make makes the owner of that number
   */
  MetadataOwners(ShardMap shardMap, IntFunction<MetadataShards> make) {
    this.shardMap = shardMap;
    List<MetadataShards> made = new ArrayList<>(shardMap.loops());
    for (int i = 0; i < shardMap.loops(); i++) {
      made.add(make.apply(i));
    }
    this.owners = List.copyOf(made);
  }

  List<MetadataShards> all() {
    return owners;
  }

  int ownerOfShard(int shard) {
    return shardMap.ownerOfShard(shard);
  }

  /** Takes mail to the loop that owns its shard; posted in the order in which it was sent. */
  void deliver(ShardMail letter) {
    MetadataShards shards = owners.get(shardMap.ownerOfShard(letter.shard()));
    shards.loop().queue().post(() -> shards.accept(letter));
  }

  /** Runs something on one owner; refused when its queue is full. */
  <T> Future<T> call(int owner, Function<MetadataShards, Future<T>> body) {
    MetadataShards shards = owners.get(owner);
    return shards.loop().call(() -> body.apply(shards));
  }

  /** Runs something on every owner, never refused; completes when all have. */
  Future<Void> command(Function<MetadataShards, Future<Void>> body) {
    List<Future<Void>> all = new ArrayList<>(owners.size());
    for (MetadataShards shards : owners) {
      all.add(shards.loop().command(() -> body.apply(shards)));
    }
    return Future.all(all).mapEmpty();
  }

  /** Does all items of a batch. */
  <T> Future<List<Outcome<T>>> run(KeyedCall<T> call) {
    if (shardMap.loops() > 1) {
      return runUnsettled(call);
    }
    Future<Void> only = part(call, 0, null, call.keys().size());
    return only.isComplete() && only.succeeded()
        ? Future.succeededFuture(call.results())
        : only.map(ignored -> call.results());
  }

  /** Does the first item of a batch. */
  Future<Void> runFirst(KeyedCall<?> call) {
    return part(call, owner(call, 0), new int[] {0}, 1);
  }

  /** Does the items that have no result yet. */
  <T> Future<List<Outcome<T>>> runUnsettled(KeyedCall<T> call) {
    int[][] positions = positions(call);
    List<Future<Void>> parts = new ArrayList<>(positions.length);
    // Started only when all parts are known: what runs inline settles items.
    for (int owner = 0; owner < positions.length; owner++) {
      int[] mine = positions[owner];
      if (mine.length > 0) {
        parts.add(part(call, owner, mine, mine.length));
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

  /** The unsettled items of each owner, in the order of the request. */
  private int[][] positions(KeyedCall<?> call) {
    int count = call.keys().size();
    byte[] ownerOf = new byte[count];
    int[] counts = new int[shardMap.loops()];
    for (int i = 0; i < count; i++) {
      if (!call.isSettled(i)) {
        int owner = owner(call, i);
        ownerOf[i] = (byte) owner;
        counts[owner]++;
      }
    }
    int[][] positions = new int[counts.length][];
    for (int owner = 0; owner < counts.length; owner++) {
      positions[owner] = new int[counts[owner]];
      counts[owner] = 0;
    }
    for (int i = 0; i < count; i++) {
      if (!call.isSettled(i)) {
        int owner = ownerOf[i] & 0xff;
        positions[owner][counts[owner]++] = i;
      }
    }
    return positions;
  }

  private int owner(KeyedCall<?> call, int index) {
    KeyBatch keys = call.keys();
    return shardMap.owner(
        KeyHash.of(call.tenant(index), keys.bytes(), keys.offset(index), keys.length(index)));
  }

  private Future<Void> part(KeyedCall<?> call, int owner, int @Nullable [] positions, int count) {
    MetadataShards shards = owners.get(owner);
    MasterLoop loop = shards.loop();
    BatchPart part = new BatchPart(call, shards, positions, count);
    return loop.call(part::start);
  }
}
