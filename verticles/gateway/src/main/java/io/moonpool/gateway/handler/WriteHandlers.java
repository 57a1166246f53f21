package io.moonpool.gateway.handler;

import io.moonpool.core.index.ObjectIndex;
import io.moonpool.gateway.segment.Replicas;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.api.CallTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.ObjectMessages;
import io.moonpool.protocol.mooncake.Replica;
import io.moonpool.protocol.mooncake.WriteConfig;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Puts and upserts. The protocol has no versions: whatever a client has in progress for a key is
 * what its end or revocation means.
 */
public final class WriteHandlers {
  private static final int[] NO_BLOCKS = {};

  private final MasterOperations operations;
  private final Replicas replicas;

  /** Handlers that carry calls out by these operations. */
  public WriteHandlers(MasterOperations operations, Replicas replicas) {
    this.operations = operations;
    this.replicas = replicas;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(ObjectCalls.PUT_START, request -> start(request, false))
        .on(ObjectCalls.UPSERT_START, request -> start(request, true))
        .on(ObjectCalls.BATCH_PUT_START, request -> startEach(request, false))
        .on(ObjectCalls.BATCH_UPSERT_START, request -> startEach(request, true))
        .on(ObjectCalls.PUT_END, this::end)
        .on(ObjectCalls.UPSERT_END, this::end)
        .on(
            ObjectCalls.BATCH_PUT_END,
            request ->
                endEach(
                    request.client(), request.objects(), request.replicaType(), request.tenant()))
        .on(
            ObjectCalls.BATCH_UPSERT_END,
            request ->
                endEach(
                    request.client(),
                    request.objects(),
                    ReplicaType.ALL.number(),
                    request.tenant()))
        .on(ObjectCalls.PUT_REVOKE, this::revoke)
        .on(ObjectCalls.UPSERT_REVOKE, this::revoke)
        .on(
            ObjectCalls.BATCH_PUT_REVOKE,
            request ->
                revokeEach(
                    request.client(), request.keys(), request.replicaType(), request.tenant()))
        .on(
            ObjectCalls.BATCH_UPSERT_REVOKE,
            request ->
                revokeEach(
                    request.client(), request.keys(), ReplicaType.ALL.number(), request.tenant()));
  }

  private Future<List<Replica>> start(ObjectMessages.Start request, boolean upsert) {
    KeyBatch key = Outcomes.batch(request.key());
    long[] sizes = {request.size()};
    return start(request.client(), request.tenant(), key, sizes, request.config(), upsert)
        .compose(
            started ->
                Outcomes.future(
                    told(request.client(), request.tenant(), key, 0, started.getFirst())));
  }

  private Future<List<Outcome<List<Replica>>>> startEach(
      ObjectMessages.BatchStart request, boolean upsert) {
    KeyBatch keys = request.keys();
    return Outcomes.each(
        keys.size(),
        start(request.client(), request.tenant(), keys, request.sizes(), request.config(), upsert)
            .map(
                started -> {
                  List<Outcome<List<Replica>>> told = new ArrayList<>(started.size());
                  for (int i = 0; i < started.size(); i++) {
                    told.add(told(request.client(), request.tenant(), keys, i, started.get(i)));
                  }
                  return told;
                }));
  }

  private Future<List<Outcome<StartedObject>>> start(
      UUID client, String tenant, KeyBatch keys, long[] sizes, WriteConfig config, boolean upsert) {
    StartObjects request;
    try {
      request = new StartObjects(client, tenant, keys, sizes, WriteConfigs.translate(config));
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
    return upsert
        ? operations.upsertStart(request, ClientProtocol.MOONCAKE)
        : operations.putStart(request, ClientProtocol.MOONCAKE);
  }

  /** Where a write that was started goes. */
  private Outcome<List<Replica>> told(
      UUID client, String tenant, KeyBatch keys, int item, Outcome<StartedObject> outcome) {
    if (!outcome.ok()) {
      return Outcome.error(outcome.code());
    }
    StartedObject started = outcome.get();
    List<Replica> places = replicas.reachable(started.replicas());
    if (!places.isEmpty()) {
      return Outcome.of(places);
    }
    // Its segments went at this very moment: the key must be free for the next try.
    KeyBatch key = new KeyBatch(1, keys.length(item));
    key.add(keys.bytes(), keys.offset(item), keys.length(item));
    operations.revoke(new RevokeObjects(client, tenant, key, new long[] {started.version()}));
    return Outcome.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
  }

  private Future<Void> end(ObjectMessages.End request) {
    return Outcomes.only(
        end(request.client(), List.of(request.object()), request.replicaType(), request.tenant()));
  }

  private Future<List<Outcome<Void>>> endEach(
      UUID client, List<ObjectMessages.Written> objects, int replicaType, String tenant) {
    return Outcomes.each(objects.size(), end(client, objects, replicaType, tenant));
  }

  private Future<List<Outcome<Void>>> end(
      UUID client, List<ObjectMessages.Written> objects, int replicaType, String tenant) {
    if (!isInMemory(replicaType)) {
      return notWritten(replicaType);
    }
    KeyBatch keys = new KeyBatch(objects.size());
    Checksum[] checksums = new Checksum[objects.size()];
    for (int i = 0; i < checksums.length; i++) {
      ObjectMessages.Written object = objects.get(i);
      keys.add(object.key(), 0, object.key().length);
      checksums[i] = checksum(object.checksum());
    }
    return operations.end(
        new EndObjects(client, tenant, keys, anyVersions(keys), Arrays.asList(checksums)));
  }

  /** The writer's own sum, which nobody here can check. */
  private static Checksum checksum(OptionalLong sum) {
    return sum.isPresent()
        ? new Checksum(ChecksumKind.OPAQUE, sum.getAsLong(), NO_BLOCKS)
        : Checksum.NONE;
  }

  private Future<Void> revoke(ObjectMessages.Revoke request) {
    return Outcomes.only(
        revoke(
            request.client(),
            Outcomes.batch(request.key()),
            request.replicaType(),
            request.tenant()));
  }

  private Future<List<Outcome<Void>>> revokeEach(
      UUID client, KeyBatch keys, int replicaType, String tenant) {
    return Outcomes.each(keys.size(), revoke(client, keys, replicaType, tenant));
  }

  private Future<List<Outcome<Void>>> revoke(
      UUID client, KeyBatch keys, int replicaType, String tenant) {
    return isInMemory(replicaType)
        ? operations.revoke(new RevokeObjects(client, tenant, keys, anyVersions(keys)))
        : notWritten(replicaType);
  }

  /** Writers write replicas in memory and no others. */
  private static boolean isInMemory(int replicaType) {
    return replicaType == ReplicaType.MEMORY.number() || replicaType == ReplicaType.ALL.number();
  }

  private static <T> Future<T> notWritten(int replicaType) {
    return Future.failedFuture(
        new StoreException(
            ErrorCode.INVALID_WRITE,
            "no write of a replica of type " + replicaType + " can be in progress here"));
  }

  private static long[] anyVersions(KeyBatch keys) {
    long[] versions = new long[keys.size()];
    Arrays.fill(versions, ObjectIndex.ANY_VERSION);
    return versions;
  }
}
