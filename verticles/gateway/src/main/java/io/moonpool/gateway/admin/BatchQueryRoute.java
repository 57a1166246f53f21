package io.moonpool.gateway.admin;

import io.moonpool.gateway.segment.Replicas;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.admin.StreamRoute;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.mooncake.Place;
import io.moonpool.protocol.mooncake.Replica;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where some objects are, without a lease. Pieces of the answer are of so many keys that none keeps
 * a loop for long.
 */
final class BatchQueryRoute implements StreamRoute {
  private static final int KEYS_OF_A_PIECE = 256;
  private static final long[] ALL = {};

  private final MasterOperations operations;
  private final Replicas replicas;

  BatchQueryRoute(MasterOperations operations, Replicas replicas) {
    this.operations = operations;
    this.replicas = replicas;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/batch_query_keys";
  }

  @Override
  public Pieces open(RouteRequest request) {
    String keys = RawQuery.decoded(request.rawQuery(), "keys");
    if (keys.isEmpty()) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "No keys provided. Use ?keys=key1,key2,...");
    }
    // An object has each name once, so the answer tells of each key once.
    return new Queried(List.copyOf(new LinkedHashSet<>(List.of(keys.split(",", -1)))));
  }

  @Override
  public Optional<Answer> refused(StoreException failure) {
    return Optional.of(
        failure.code() == ErrorCode.INVALID_PARAMS
            ? MooncakeAnswers.json(
                400, new JsonObject().put("success", false).put("error", failure.sentence()))
            : MooncakeAnswers.failed(failure));
  }

  /** The keys of one request. */
  private final class Queried implements Pieces {
    private final List<String> keys;
    private int done;
    private boolean over;

    Queried(List<String> keys) {
      this.keys = keys;
    }

    @Override
    public String contentType() {
      return MooncakeAnswers.JSON;
    }

    @Override
    public Future<Buffer> next() {
      if (over) {
        return Future.succeededFuture(Buffer.buffer());
      }
      int from = done;
      done = Math.min(keys.size(), from + KEYS_OF_A_PIECE);
      over = done == keys.size();
      return describe(keys.subList(from, done))
          .map(
              told -> {
                StringBuilder piece = new StringBuilder();
                piece.append(from == 0 ? "{\"success\":true,\"data\":{" : ",");
                for (int i = 0; i < told.size(); i++) {
                  piece
                      .append(i == 0 ? "" : ",")
                      .append(Json.encode(keys.get(from + i)))
                      .append(':')
                      .append(told.get(i).encode());
                }
                piece.append(over ? "}}" : "");
                return Buffer.buffer(piece.toString());
              });
    }
  }

  /** What is told of each key. */
  private Future<List<JsonObject>> describe(List<String> keys) {
    KeyBatch valid = new KeyBatch(keys.size());
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i).getBytes(StandardCharsets.UTF_8);
      if (key.length > 0 && key.length <= KeyBatch.MAX_KEY_BYTES) {
        valid.add(key, 0, key.length);
        places.add(i);
      }
    }
    List<JsonObject> told = new ArrayList<>();
    keys.forEach(key -> told.add(error(ErrorCode.OBJECT_NOT_FOUND)));
    if (places.isEmpty()) {
      return Future.succeededFuture(told);
    }
    return operations
        .describeSegments(new DescribeSegments(ALL))
        .compose(
            segments -> {
              Set<Long> serving = serving(segments);
              return operations
                  .describe(new NamedObjects(KeyPaths.TENANT, valid))
                  .map(
                      objects -> {
                        for (int i = 0; i < places.size(); i++) {
                          told.set(places.get(i), told(objects.get(i), serving));
                        }
                        return told;
                      });
            });
  }

  /** Segments whose replicas readers get. */
  private static Set<Long> serving(List<SegmentInfo> segments) {
    Set<Long> serving = new HashSet<>();
    for (SegmentInfo segment : segments) {
      if (segment.ownerState() == ClientState.ACTIVE
          && segment.status() != SegmentStatus.UNMOUNTING) {
        serving.add(segment.generation());
      }
    }
    return serving;
  }

  private JsonObject told(Outcome<ObjectInfo> outcome, Set<Long> serving) {
    if (!outcome.ok()) {
      return error(outcome.code());
    }
    List<ReplicaDescriptor> readable =
        outcome.get().replicas().stream()
            .filter(
                replica ->
                    replica.status() == ReplicaStatus.COMPLETE
                        && serving.contains(replica.generation()))
            .toList();
    List<Replica> reachable = replicas.reachable(readable);
    if (reachable.isEmpty()) {
      return error(ErrorCode.REPLICA_IS_NOT_READY);
    }
    JsonArray memory = new JsonArray();
    JsonArray disks = new JsonArray();
    for (Replica replica : reachable) {
      switch (replica.place()) {
        case Place.Memory place -> memory.add(KeyPaths.inMemory(place));
        case Place.LocalDisk place ->
            disks.add(
                new JsonObject()
                    .put("client_id", MooncakeAnswers.id(place.client()))
                    .put("object_size", place.size())
                    .put("transport_endpoint", place.endpoint()));
        // There are no others here.
        case Place.Nof ignored -> {}
        case Place.Disk ignored -> {}
        case Place.Dfs ignored -> {}
      }
    }
    JsonObject told = new JsonObject().put("ok", true).put("values", memory);
    return disks.isEmpty() ? told : told.put("local_disk_values", disks);
  }

  private static JsonObject error(ErrorCode code) {
    return new JsonObject().put("ok", false).put("error", code.name());
  }
}
