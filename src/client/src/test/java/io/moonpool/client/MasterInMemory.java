package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.HelloAnswer;
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
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Just enough of a master to drive a client: objects and extents in maps, space never reused. Every
 * answer comes a moment later, as over a socket. Used by the client's loop alone, except for the
 * switches.
 */
public final class MasterInMemory implements MasterCalls {
  private static final class Stored {
    final long version;
    final long size;
    final List<ReplicaDescriptor> replicas;
    Checksum checksum = Checksum.NONE;

    Stored(long version, long size, List<ReplicaDescriptor> replicas) {
      this.version = version;
      this.size = size;
      this.replicas = replicas;
    }
  }

  private final Vertx vertx;
  private final Map<Long, SegmentInfo> segments = new LinkedHashMap<>();
  private final Map<Long, Long> used = new HashMap<>();
  private final Map<String, Stored> visible = new TreeMap<>();
  private final Map<String, Stored> writing = new HashMap<>();
  private long nextVersion = 1;

  /** How many calls of each kind were made. */
  public final Map<String, Integer> calls = new HashMap<>();

  /** What locations are leased for. */
  volatile long leaseMillis = 10_000;

  /** What writes are granted. */
  volatile long grantMillis = 30_000;

  /** Set to fail calls of that name with that error, as often as it answers one. */
  public volatile Function<String, @Nullable ErrorCode> failing = name -> null;

  /** The size of the largest batch that was seen. */
  volatile int largestBatch;

  MasterInMemory(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Adds a segment. */
  public void mount(SegmentInfo segment) {
    segments.put(segment.generation(), segment);
    used.put(segment.generation(), 0L);
  }

  /** Adds a replica on a disk to an object of the default tenant; answers its version. */
  long offload(String key, long diskGeneration, boolean keepMemory) {
    Stored before = visible.get('\0' + key);
    List<ReplicaDescriptor> replicas =
        new ArrayList<>(keepMemory ? before.replicas : List.<ReplicaDescriptor>of());
    replicas.addFirst(
        new ReplicaDescriptor(
            before.version * 100 + 99,
            ReplicaType.LOCAL_DISK,
            ReplicaStatus.COMPLETE,
            diskGeneration,
            0,
            before.size));
    Stored after = new Stored(before.version, before.size, replicas);
    after.checksum = before.checksum;
    visible.put('\0' + key, after);
    return before.version;
  }

  /** Whether writers get other segments than those that they could not reach. */
  volatile boolean avoids = true;

  void unmount(long generation) {
    segments.remove(generation);
  }

  @Override
  public HelloAnswer master() {
    return new HelloAnswer(1, "test", "test", 1, leaseMillis, grantMillis, 0);
  }

  @Override
  public <Q, R> Future<R> call(Call<Q, R> call, Q request) {
    String name = call.name().substring(call.name().lastIndexOf(':') + 1);
    calls.merge(name, 1, Integer::sum);
    return vertx
        .timer(1)
        .compose(
            later -> {
              ErrorCode error = failing.apply(name);
              if (error != null) {
                return Future.failedFuture(new StoreException(error));
              }
              @SuppressWarnings("unchecked") // each call's own type
              R answer = (R) answer(call, request);
              return Future.succeededFuture(answer);
            });
  }

  private Object answer(Call<?, ?> call, Object request) {
    return switch (request) {
      case StartObjects start ->
          each(start.keys(), i -> start(start, i, call == Calls.UPSERT_START));
      case EndObjects end -> each(end.keys(), i -> end(end, i));
      case RevokeObjects revoke -> each(revoke.keys(), i -> revoke(revoke, i));
      case RemoveObjects remove -> each(remove.keys(), i -> remove(remove, i));
      case DescribeSegments describe -> describe(describe);
      case ListObjects list -> list(list);
      case RemoveMatching remove -> removeMatching(remove);
      case NamedObjects named when call == Calls.LOCATE ->
          each(named.keys(), i -> locate(named, i));
      case NamedObjects named when call == Calls.EXISTS ->
          each(
              named.keys(),
              i -> Outcome.of(visible.containsKey(name(named.tenant(), named.keys(), i))));
      case NamedObjects named -> each(named.keys(), i -> describe(named, i));
      default -> throw new IllegalArgumentException(call.name());
    };
  }

  private <T> List<Outcome<T>> each(KeyBatch keys, Function<Integer, Outcome<T>> item) {
    largestBatch = Math.max(largestBatch, keys.size());
    List<Outcome<T>> outcomes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      outcomes.add(item.apply(i));
    }
    return outcomes;
  }

  private static String name(String tenant, KeyBatch keys, int i) {
    return tenant + '\0' + keys.text(i);
  }

  private Outcome<StartedObject> start(StartObjects request, int i, boolean upsert) {
    String name = name(request.tenant(), request.keys(), i);
    long size = request.sizes()[i];
    if (size == 0) {
      return Outcome.error(ErrorCode.INVALID_PARAMS);
    }
    if (!upsert && (visible.containsKey(name) || writing.containsKey(name))) {
      return Outcome.error(ErrorCode.OBJECT_ALREADY_EXISTS);
    }
    List<ReplicaDescriptor> replicas = new ArrayList<>();
    for (SegmentInfo segment : segments.values()) {
      long at = used.get(segment.generation());
      if (segment.spec().kind() == SegmentKind.MEMORY
          && !(avoids
              && LongStream.of(request.avoided()).anyMatch(each -> each == segment.generation()))
          && replicas.size() < request.config().replicaNum()
          && at + size <= segment.spec().size()) {
        used.put(segment.generation(), at + size);
        replicas.add(
            new ReplicaDescriptor(
                nextVersion * 100 + replicas.size(),
                ReplicaType.MEMORY,
                ReplicaStatus.COMPLETE,
                segment.generation(),
                at,
                size));
      }
    }
    if (replicas.isEmpty()) {
      return Outcome.error(ErrorCode.NO_AVAILABLE_HANDLE);
    }
    Stored stored = new Stored(nextVersion++, size, replicas);
    writing.put(name, stored);
    return Outcome.of(new StartedObject(stored.version, replicas));
  }

  private Outcome<Void> end(EndObjects request, int i) {
    String name = name(request.tenant(), request.keys(), i);
    Stored stored = writing.get(name);
    if (stored == null || stored.version != request.versions()[i]) {
      Stored there = visible.get(name);
      return there != null && there.version == request.versions()[i]
          ? Outcome.done()
          : Outcome.error(ErrorCode.INVALID_WRITE);
    }
    stored.checksum = request.checksums().get(i);
    writing.remove(name);
    visible.put(name, stored);
    return Outcome.done();
  }

  private Outcome<Void> revoke(RevokeObjects request, int i) {
    writing.remove(name(request.tenant(), request.keys(), i));
    return Outcome.done();
  }

  private Outcome<LocatedObject> locate(NamedObjects request, int i) {
    Stored stored = visible.get(name(request.tenant(), request.keys(), i));
    return stored == null
        ? Outcome.error(ErrorCode.OBJECT_NOT_FOUND)
        : Outcome.of(
            new LocatedObject(
                stored.version, stored.size, leaseMillis, stored.checksum, stored.replicas));
  }

  private ObjectInfo info(String name, Stored stored) {
    int cut = name.indexOf('\0');
    return new ObjectInfo(
        name.substring(0, cut),
        name.substring(cut + 1),
        stored.size,
        stored.version,
        stored.checksum,
        0,
        0,
        false,
        ObjectDataType.UNKNOWN,
        "",
        stored.replicas);
  }

  private Outcome<ObjectInfo> describe(NamedObjects request, int i) {
    String name = name(request.tenant(), request.keys(), i);
    Stored stored = visible.get(name);
    return stored == null
        ? Outcome.error(ErrorCode.OBJECT_NOT_FOUND)
        : Outcome.of(info(name, stored));
  }

  private Outcome<Void> remove(RemoveObjects request, int i) {
    return visible.remove(name(request.tenant(), request.keys(), i)) == null
        ? Outcome.error(ErrorCode.OBJECT_NOT_FOUND)
        : Outcome.done();
  }

  private Long removeMatching(RemoveMatching request) {
    Pattern pattern = Pattern.compile(request.pattern());
    long before = visible.size();
    visible
        .keySet()
        .removeIf(
            name ->
                name.startsWith(request.tenant() + '\0')
                    && pattern.matcher(name.substring(name.indexOf('\0') + 1)).find());
    return before - visible.size();
  }

  private ObjectPage list(ListObjects request) {
    Pattern pattern = Pattern.compile(request.pattern());
    List<ObjectInfo> all = new ArrayList<>();
    visible.forEach(
        (name, stored) -> {
          ObjectInfo info = info(name, stored);
          if (info.tenant().equals(request.tenant()) && pattern.matcher(info.key()).find()) {
            all.add(info);
          }
        });
    int from = (int) request.cursor();
    int to = Math.min(all.size(), from + request.limit());
    return new ObjectPage(all.subList(from, to), to == all.size() ? 0 : to);
  }

  private List<SegmentInfo> describe(DescribeSegments request) {
    if (request.generations().length == 0) {
      return List.copyOf(segments.values());
    }
    List<SegmentInfo> infos = new ArrayList<>();
    for (long generation : request.generations()) {
      SegmentInfo info = segments.get(generation);
      if (info != null) {
        infos.add(info);
      }
    }
    return infos;
  }

  /** Writes that were started and neither ended nor revoked. */
  int writesUnderWay() {
    return writing.size();
  }

  /** Where an object's replicas are. */
  List<ReplicaDescriptor> replicas(String key) {
    return visible.get('\0' + key).replicas;
  }

  /** Replaces the stored checksum of an object. */
  void setChecksum(String key, Checksum checksum) {
    visible.get('\0' + key).checksum = checksum;
  }
}
