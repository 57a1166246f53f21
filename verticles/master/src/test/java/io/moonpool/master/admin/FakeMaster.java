package io.moonpool.master.admin;

import io.moonpool.master.MasterOperations;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.model.Tenants;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A master that fits into one class: enough behaviour for the tests of the interfaces, with one
 * lock and maps. It has two tenants, {@code default} and {@code red}, and refuses other writers.
 */
public final class FakeMaster implements MasterOperations {
  public static final UUID NODE = new UUID(1, 2);
  public static final UUID SEGMENT = new UUID(3, 4);
  public static final long GENERATION = (1_700_000_000_000L << 20) | 7;
  public static final long INCARNATION = 1L << 60;

  private final Map<String, Stored> objects = new LinkedHashMap<>();
  private final Map<UUID, SegmentInfo> segments = new LinkedHashMap<>();
  private final Set<String> leased = new HashSet<>();
  private long capacity = 1 << 20;
  private long used;
  private long counter = 1L << 53;
  private Promise<Void> pendingUnmount;
  private Promise<ObjectPage> pendingList;
  private UnmountSegment lastUnmount;
  private boolean broken;
  private int clientListings;
  private final Promise<Void> listAsked = Promise.promise();

  private record Stored(
      String tenant,
      String key,
      long size,
      long version,
      UUID writer,
      boolean complete,
      Checksum checksum,
      ReplicateConfig config) {}

  public FakeMaster() {
    SegmentSpec spec =
        SegmentSpec.memory(
            SEGMENT,
            "node-1:a",
            1 << 20,
            "host-1",
            List.of(new SegmentEndpoint("tcp", new byte[] {1, (byte) 0xff})));
    segments.put(
        SEGMENT, new SegmentInfo(spec, NODE, GENERATION, SegmentStatus.OK, ClientState.ACTIVE, 0));
  }

  /** Stores a complete object, as a client would. */
  public synchronized FakeMaster with(String tenant, String key, long size) {
    objects.put(
        id(tenant, key),
        new Stored(
            tenant,
            key,
            size,
            counter++,
            NODE,
            true,
            Checksum.crc32c(0xCAFE),
            ReplicateConfig.DEFAULT));
    used += size;
    return this;
  }

  /** Stores a complete object of the default tenant, 10 bytes long. */
  public FakeMaster with(String key) {
    return with(Tenants.DEFAULT, key, 10);
  }

  public synchronized void lease(String key) {
    leased.add(id("", key));
  }

  /** The next unmount does not complete before the returned promise. */
  public synchronized Promise<Void> holdUnmount() {
    pendingUnmount = Promise.promise();
    return pendingUnmount;
  }

  /** The next listing does not complete before the returned promise. */
  public synchronized Promise<ObjectPage> holdList() {
    pendingList = Promise.promise();
    return pendingList;
  }

  /** From now on the owners of keys do not answer. */
  public synchronized void breakDown() {
    broken = true;
  }

  public synchronized UnmountSegment lastUnmount() {
    return lastUnmount;
  }

  /** Completes when a listing has been asked for. */
  public Future<Void> listAsked() {
    return listAsked.future();
  }

  public synchronized boolean has(String tenant, String key) {
    return objects.containsKey(id(tenant, key));
  }

  @Override
  public Future<HelloAnswer> hello(Hello request) {
    return Future.succeededFuture(
        new HelloAnswer(1, "0.0.0-fake", "fake-cluster", 1L << 55, 10_000, 30_000, 50_062));
  }

  @Override
  public Future<List<Outcome<StartedObject>>> putStart(
      StartObjects request, ClientProtocol writer) {
    return start(request, false);
  }

  @Override
  public Future<List<Outcome<StartedObject>>> upsertStart(
      StartObjects request, ClientProtocol writer) {
    return start(request, true);
  }

  private synchronized Future<List<Outcome<StartedObject>>> start(
      StartObjects request, boolean replace) {
    if (request.sizes().length != request.keys().size()) {
      return fail(ErrorCode.INVALID_PARAMS);
    }
    if (!Set.of("default", "red").contains(Tenants.orDefault(request.tenant()))) {
      return fail(ErrorCode.TENANT_NOT_REGISTERED);
    }
    if (request.config().replicaNum() < 1) {
      return fail(ErrorCode.INVALID_PARAMS);
    }
    return each(
        request.keys(),
        i -> {
          long size = request.sizes()[i];
          String id = id(request.tenant(), request.keys().text(i));
          if (size <= 0) {
            return Outcome.error(ErrorCode.INVALID_PARAMS);
          }
          if (objects.containsKey(id) && !replace) {
            return Outcome.error(ErrorCode.OBJECT_ALREADY_EXISTS);
          }
          if (used + size > capacity) {
            return Outcome.error(ErrorCode.NO_AVAILABLE_HANDLE);
          }
          used += size;
          Stored stored =
              new Stored(
                  Tenants.orDefault(request.tenant()),
                  request.keys().text(i),
                  size,
                  counter++,
                  request.writer(),
                  false,
                  Checksum.NONE,
                  request.config());
          objects.put(id, stored);
          return Outcome.of(new StartedObject(stored.version, replicas(stored)));
        });
  }

  @Override
  public synchronized Future<List<Outcome<Void>>> end(EndObjects request) {
    return each(
        request.keys(),
        i -> {
          String id = id(request.tenant(), request.keys().text(i));
          Stored stored = objects.get(id);
          ErrorCode refusal = refusal(stored, request.writer(), request.versions()[i]);
          if (refusal != ErrorCode.OK) {
            return Outcome.error(refusal);
          }
          objects.put(
              id,
              new Stored(
                  stored.tenant,
                  stored.key,
                  stored.size,
                  stored.version,
                  stored.writer,
                  true,
                  request.checksums().get(i),
                  stored.config));
          return Outcome.done();
        });
  }

  @Override
  public synchronized Future<List<Outcome<Void>>> revoke(RevokeObjects request) {
    return each(
        request.keys(),
        i -> {
          String id = id(request.tenant(), request.keys().text(i));
          Stored stored = objects.get(id);
          ErrorCode refusal = refusal(stored, request.writer(), request.versions()[i]);
          if (refusal == ErrorCode.OK) {
            objects.remove(id);
            used -= stored.size;
          }
          return refusal == ErrorCode.OK ? Outcome.done() : Outcome.error(refusal);
        });
  }

  private static ErrorCode refusal(Stored stored, UUID writer, long version) {
    if (stored == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (!stored.writer.equals(writer)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    return stored.version == version ? ErrorCode.OK : ErrorCode.INVALID_WRITE;
  }

  @Override
  public synchronized Future<List<Outcome<LocatedObject>>> locate(NamedObjects request) {
    return each(
        request.keys(),
        i -> {
          Stored stored = objects.get(id(request.tenant(), request.keys().text(i)));
          if (stored == null) {
            return Outcome.error(ErrorCode.OBJECT_NOT_FOUND);
          }
          return stored.complete
              ? Outcome.of(
                  new LocatedObject(
                      stored.version, stored.size, 10_000, stored.checksum, replicas(stored)))
              : Outcome.error(ErrorCode.REPLICA_IS_NOT_READY);
        });
  }

  @Override
  public synchronized Future<List<Outcome<Boolean>>> exists(NamedObjects request) {
    if (broken) {
      return Promise.<List<Outcome<Boolean>>>promise().future();
    }
    return each(
        request.keys(),
        i -> {
          Stored stored = objects.get(id(request.tenant(), request.keys().text(i)));
          return Outcome.of(stored != null && stored.complete);
        });
  }

  @Override
  public synchronized Future<List<Outcome<ObjectInfo>>> describe(NamedObjects request) {
    return each(
        request.keys(),
        i -> {
          Stored stored = objects.get(id(request.tenant(), request.keys().text(i)));
          return stored == null
              ? Outcome.error(ErrorCode.OBJECT_NOT_FOUND)
              : Outcome.of(info(stored));
        });
  }

  @Override
  public synchronized Future<List<Outcome<Void>>> remove(RemoveObjects request) {
    return each(
        request.keys(),
        i -> {
          String id = id(request.tenant(), request.keys().text(i));
          if (!objects.containsKey(id)) {
            return Outcome.error(ErrorCode.OBJECT_NOT_FOUND);
          }
          if (leased.contains(id) && !request.force()) {
            return Outcome.error(ErrorCode.OBJECT_HAS_LEASE);
          }
          objects.remove(id);
          return Outcome.done();
        });
  }

  @Override
  public synchronized Future<Long> removeMatching(RemoveMatching request) {
    List<Stored> matching;
    try {
      matching = matching(request.tenant(), request.pattern());
    } catch (PatternSyntaxException e) {
      return fail(ErrorCode.INVALID_PARAMS);
    }
    long removed = 0;
    for (Stored stored : matching) {
      String id = id(stored.tenant, stored.key);
      if (request.force() || !leased.contains(id)) {
        objects.remove(id);
        removed++;
      }
    }
    return Future.succeededFuture(removed);
  }

  @Override
  public synchronized Future<ObjectPage> list(ListObjects request) {
    listAsked.tryComplete();
    if (pendingList != null) {
      return onContextOfCaller(pendingList.future());
    }
    List<Stored> matching;
    try {
      matching = matching(request.tenant(), request.pattern());
    } catch (PatternSyntaxException e) {
      return fail(ErrorCode.INVALID_PARAMS);
    }
    int from = (int) Math.min(request.cursor(), matching.size());
    int to = Math.min(from + request.limit(), matching.size());
    return Future.succeededFuture(
        new ObjectPage(
            matching.subList(from, to).stream().map(this::info).toList(),
            to < matching.size() ? to : 0));
  }

  private List<Stored> matching(String tenant, String pattern) {
    Pattern compiled = Pattern.compile(pattern);
    return objects.values().stream()
        .filter(o -> o.tenant.equals(Tenants.orDefault(tenant)))
        .filter(o -> compiled.matcher(o.key).find())
        .toList();
  }

  @Override
  public Future<NodeRegistration> registerNode(RegisterNode request) {
    return fail(ErrorCode.NOT_SUPPORTED);
  }

  @Override
  public Future<Void> unregisterNode(UnregisterNode request) {
    return fail(ErrorCode.NOT_SUPPORTED);
  }

  @Override
  public Future<List<Outcome<Long>>> mountSegments(MountSegments request) {
    return fail(ErrorCode.NOT_SUPPORTED);
  }

  @Override
  public synchronized Future<Void> unmountSegment(UnmountSegment request) {
    if (!request.nodeId().equals(NODE) || request.incarnation() != INCARNATION) {
      return fail(ErrorCode.ILLEGAL_CLIENT);
    }
    lastUnmount = request;
    if (pendingUnmount != null) {
      return onContextOfCaller(pendingUnmount.future());
    }
    segments.remove(request.segmentId());
    return Future.succeededFuture();
  }

  @Override
  public synchronized Future<List<SegmentInfo>> describeSegments(DescribeSegments request) {
    List<SegmentInfo> answer = new ArrayList<>();
    for (SegmentInfo segment : segments.values()) {
      boolean wanted = request.generations().length == 0;
      for (long generation : request.generations()) {
        wanted |= generation == segment.generation();
      }
      if (wanted) {
        answer.add(segment);
      }
    }
    return Future.succeededFuture(answer);
  }

  /** How often clients were listed. */
  public synchronized int clientListings() {
    return clientListings;
  }

  @Override
  public synchronized Future<List<ClientInfo>> clients() {
    clientListings++;
    return Future.succeededFuture(
        List.of(
            new ClientInfo(
                NODE,
                INCARNATION,
                "host-1",
                "127.0.0.1:9300",
                ClientState.ACTIVE,
                12,
                segments.size())));
  }

  private ObjectInfo info(Stored stored) {
    return new ObjectInfo(
        stored.tenant,
        stored.key,
        stored.size,
        stored.version,
        stored.checksum,
        leased.contains(id(stored.tenant, stored.key)) ? 9_000 : 0,
        0,
        stored.config.hardPin(),
        stored.config.dataType(),
        stored.config.groupIds().isEmpty() ? "" : stored.config.groupIds().get(0),
        replicas(stored));
  }

  private static List<ReplicaDescriptor> replicas(Stored stored) {
    return List.of(
        new ReplicaDescriptor(
            stored.version,
            ReplicaType.MEMORY,
            stored.complete ? ReplicaStatus.COMPLETE : ReplicaStatus.PROCESSING,
            GENERATION,
            4096,
            stored.size));
  }

  private static String id(String tenant, String key) {
    return Tenants.orDefault(tenant) + '\0' + key;
  }

  private static <T> Future<List<Outcome<T>>> each(
      KeyBatch keys, IntFunction<Outcome<T>> operation) {
    List<Outcome<T>> outcomes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      int length = keys.length(i);
      outcomes.add(
          length < 1 || length > KeyBatch.MAX_KEY_BYTES
              ? Outcome.error(ErrorCode.INVALID_KEY)
              : operation.apply(i));
    }
    return Future.succeededFuture(outcomes);
  }

  /** As a master does, whoever completes it. */
  private static <T> Future<T> onContextOfCaller(Future<T> future) {
    Context context = Vertx.currentContext();
    Promise<T> promise = Promise.promise();
    future.onComplete(
        done -> context.runOnContext(run -> promise.complete(done)),
        failure -> context.runOnContext(run -> promise.fail(failure)));
    return promise.future();
  }

  private static <T> Future<T> fail(ErrorCode code) {
    return Future.failedFuture(new StoreException(code));
  }
}
