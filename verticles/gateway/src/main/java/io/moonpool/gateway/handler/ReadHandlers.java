package io.moonpool.gateway.handler;

import io.moonpool.gateway.segment.Replicas;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.api.CallTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.ObjectMessages;
import io.moonpool.protocol.mooncake.Replica;
import io.moonpool.protocol.mooncake.ReplicaList;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Reads: whether objects are there, and where. */
public final class ReadHandlers {
  private static final int PAGE = 1_000;

  private final MasterOperations operations;
  private final Replicas replicas;

  /** Handlers that carry calls out by these operations. */
  public ReadHandlers(MasterOperations operations, Replicas replicas) {
    this.operations = operations;
    this.replicas = replicas;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(ObjectCalls.EXIST_KEY, this::exists)
        .on(ObjectCalls.BATCH_EXIST_KEY, this::existEach)
        .on(ObjectCalls.GET_REPLICA_LIST, this::locate)
        .on(ObjectCalls.BATCH_GET_REPLICA_LIST, this::locateEach)
        .onLong(ObjectCalls.GET_REPLICA_LIST_BY_REGEX, this::locateMatching);
  }

  private Future<Boolean> exists(ObjectMessages.Key request) {
    return Outcomes.only(
        operations.exists(new NamedObjects(request.tenant(), Outcomes.batch(request.key()))));
  }

  private Future<List<Outcome<Boolean>>> existEach(ObjectMessages.Keys request) {
    return Outcomes.each(
        request.keys().size(),
        operations.exists(new NamedObjects(request.tenant(), request.keys())));
  }

  private Future<ReplicaList> locate(ObjectMessages.Key request) {
    return Outcomes.only(
        operations.locate(new NamedObjects(request.tenant(), Outcomes.batch(request.key()))),
        this::told);
  }

  private Future<List<Outcome<ReplicaList>>> locateEach(ObjectMessages.Keys request) {
    return Outcomes.each(
        request.keys().size(),
        operations.locate(new NamedObjects(request.tenant(), request.keys())),
        this::told);
  }

  private Outcome<ReplicaList> told(LocatedObject object) {
    List<Replica> places = replicas.reachable(object.replicas());
    return places.isEmpty()
        ? Outcome.error(ErrorCode.REPLICA_IS_NOT_READY)
        : Outcome.of(new ReplicaList(places, object.leaseMillis(), checksum(object.checksum())));
  }

  /** Only a sum that came from a Mooncake client means something to one. */
  private static OptionalLong checksum(Checksum checksum) {
    return checksum.kind() == ChecksumKind.OPAQUE
        ? OptionalLong.of(checksum.value())
        : OptionalLong.empty();
  }

  private Future<Map<String, List<Replica>>> locateMatching(
      ObjectMessages.Key request, BooleanSupplier callerGone) {
    String pattern = new String(request.key(), StandardCharsets.UTF_8);
    return nextPage(request.tenant(), pattern, 0, new LinkedHashMap<>(), callerGone);
  }

  private Future<Map<String, List<Replica>>> nextPage(
      String tenant,
      String pattern,
      long cursor,
      Map<String, List<Replica>> found,
      BooleanSupplier callerGone) {
    return operations
        .list(new ListObjects(tenant, pattern, cursor, PAGE), callerGone)
        .compose(
            page ->
                leased(tenant, page, found)
                    .compose(
                        more ->
                            page.nextCursor() == 0
                                ? Future.succeededFuture(found)
                                : nextPage(tenant, pattern, page.nextCursor(), found, callerGone)));
  }

  /** Leases the objects of a page, and keeps those that can be read. */
  private Future<Map<String, List<Replica>>> leased(
      String tenant, ObjectPage page, Map<String, List<Replica>> found) {
    if (page.objects().isEmpty()) {
      return Future.succeededFuture(found);
    }
    List<String> keys = page.objects().stream().map(ObjectInfo::key).toList();
    return operations
        .locate(new NamedObjects(tenant, KeyBatch.of(keys)))
        .map(
            located -> {
              for (int i = 0; i < located.size(); i++) {
                if (located.get(i).ok()) {
                  Outcome<ReplicaList> told = told(located.get(i).get());
                  if (told.ok()) {
                    found.put(keys.get(i), told.get().replicas());
                  }
                }
              }
              return found;
            });
  }
}
