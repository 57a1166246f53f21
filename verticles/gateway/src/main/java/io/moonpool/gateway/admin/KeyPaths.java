package io.moonpool.gateway.admin;

import io.moonpool.gateway.segment.Replicas;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.mooncake.Place;
import io.moonpool.protocol.mooncake.Replica;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Objects of the default tenant. */
final class KeyPaths {
  /** Mooncake's master looks there only. */
  static final String TENANT = "";

  private final MasterOperations operations;
  private final Replicas replicas;

  KeyPaths(MasterOperations operations, Replicas replicas) {
    this.operations = operations;
    this.replicas = replicas;
  }

  List<Route> routes() {
    return List.of(
        MooncakeRoute.get("/query_key", this::query)
            .failing(failure -> MooncakeAnswers.failed(404, failure.code(), failure.code().name())),
        new AllKeysRoute(operations),
        new BatchQueryRoute(operations, replicas));
  }

  /** Where an object is in memory. It counts as a read: the object is leased. */
  private Future<Answer> query(RouteRequest request) {
    List<byte[]> meanings = new ArrayList<>();
    for (String key : RawQuery.meanings(RawQuery.raw(request.rawQuery(), "key"))) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      if (bytes.length <= KeyBatch.MAX_KEY_BYTES) {
        meanings.add(bytes);
      }
    }
    return meanings.isEmpty()
        ? Future.failedFuture(new StoreException(ErrorCode.OBJECT_NOT_FOUND))
        : locate(meanings, 0).map(this::told);
  }

  /** The first meaning of which there is an object. */
  private Future<LocatedObject> locate(List<byte[]> meanings, int at) {
    byte[] key = meanings.get(at);
    KeyBatch keys = new KeyBatch(1, key.length);
    keys.add(key, 0, key.length);
    return operations
        .locate(new NamedObjects(TENANT, keys))
        .compose(
            outcomes -> {
              Outcome<LocatedObject> outcome = outcomes.getFirst();
              if (outcome.ok()) {
                return Future.succeededFuture(outcome.get());
              }
              return outcome.code() == ErrorCode.OBJECT_NOT_FOUND && at + 1 < meanings.size()
                  ? locate(meanings, at + 1)
                  : Future.failedFuture(new StoreException(outcome.code()));
            });
  }

  private Answer told(LocatedObject object) {
    List<Replica> reachable = replicas.reachable(object.replicas());
    if (reachable.isEmpty()) {
      throw new StoreException(ErrorCode.REPLICA_IS_NOT_READY);
    }
    JsonArray memory = new JsonArray();
    for (Replica replica : reachable) {
      if (replica.place() instanceof Place.Memory place) {
        memory.add(inMemory(place));
      }
    }
    return MooncakeAnswers.json(MooncakeAnswers.success().put("data", memory));
  }

  /** A replica in memory. */
  static JsonObject inMemory(Place.Memory place) {
    return new JsonObject()
        .put("size_", place.size())
        .put("buffer_address_", MooncakeAnswers.unsigned(place.address()))
        .put("protocol_", place.protocol())
        .put("transport_endpoint_", place.endpoint());
  }
}
