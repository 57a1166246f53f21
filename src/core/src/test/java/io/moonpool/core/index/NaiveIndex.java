package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SoftPinAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the index over maps of plain objects, as short as they can be said. The judge of the
 * model test.
 */
final class NaiveIndex {
  static final class Replica {
    long id;
    ReplicaType type = ReplicaType.MEMORY;
    int slot;
    long generation;
    int node;
    boolean complete;
    int references;
    long holdUntil;
  }

  static final class Write {
    long version;
    UUID writer = TestPool.WRITER;
    long size;
    long grantEnd;
    WriteTerms terms = TestPool.terms();
    List<Replica> replicas = new ArrayList<>();
  }

  /** A promotion: without a target it waits. */
  static final class Promotion {
    final Replica source;
    final long waitUntil;
    @Nullable Replica target;

    Promotion(Replica source, long waitUntil) {
      this.source = source;
      this.waitUntil = waitUntil;
    }
  }

  static final class Obj {
    /** When some of it was last where no space is made by eviction. */
    long keptBackMillis = Long.MIN_VALUE / 2;

    final String name;
    final int tenant;
    String group = "";
    boolean complete;
    long version;
    UUID writer = TestPool.WRITER;
    long size;
    Checksum checksum = Checksum.NONE;
    long leaseEnd;
    boolean read;
    boolean hardPinned;
    long softPinEnd;
    NaiveTransfers.@Nullable Transfer transfer;
    List<Replica> replicas = new ArrayList<>();
    @Nullable Write write;
    @Nullable Promotion promotion;

    Obj(String name, int tenant) {
      this.name = name;
      this.tenant = tenant;
    }
  }

  final Map<String, Obj> objects = new TreeMap<>();
  final SegmentTable segments;

  /** By node, when each given-up extent may be freed. */
  final Map<Integer, Long> waiting = new HashMap<>();

  /** Extents whose mount is gone: they may not be freed at all. */
  final Set<Integer> lost = new HashSet<>();

  /** Groups that got a member since their last common lease. */
  private final Set<String> refreshing = new HashSet<>();

  final NaiveTransfers transfers = new NaiveTransfers(this);

  long now;

  NaiveIndex(SegmentTable segments) {
    this.segments = segments;
  }

  static String id(String name, int tenant) {
    return tenant + "/" + name;
  }

  private boolean live(Replica replica) {
    return segments.isLive(replica.slot, replica.generation);
  }

  // Space

  private void give(Replica replica, long touchedUntil) {
    if (replica.type != ReplicaType.MEMORY) {
      return;
    }
    if (!live(replica)) {
      lost.add(replica.node);
      return;
    }
    long until = Math.max(touchedUntil, replica.holdUntil);
    long release = until == 0 ? now : until + TestPool.SKEW;
    waiting.put(replica.node, release);
  }

  private void giveUp(Write write) {
    write.replicas.forEach(r -> give(r, write.grantEnd));
  }

  void drop(Obj object, Replica replica) {
    Promotion promotion = object.promotion;
    if (promotion != null
        && replica == (promotion.target == null ? promotion.source : promotion.target)) {
      object.promotion = null;
    }
    object.replicas.remove(replica);
    give(replica, object.read ? object.leaseEnd : 0);
  }

  /** After replicas went. */
  void settle(Obj object) {
    if (object.complete && object.replicas.stream().noneMatch(r -> r.complete)) {
      List.copyOf(object.replicas).forEach(r -> drop(object, r));
      object.complete = false;
      object.checksum = Checksum.NONE;
      object.transfer = null;
      leaveGroup(object);
    }
    if (!object.complete && object.write == null) {
      objects.remove(id(object.name, object.tenant));
    }
  }

  /** A segment is going away: what is on it counts as gone from now on. */
  void segmentGone() {
    for (Obj object : List.copyOf(objects.values())) {
      for (Replica replica : List.copyOf(object.replicas)) {
        if (!live(replica)) {
          drop(object, replica);
        }
      }
      Write write = object.write;
      if (write != null) {
        for (Replica replica : List.copyOf(write.replicas)) {
          if (!live(replica)) {
            write.replicas.remove(replica);
            give(replica, 0);
          }
        }
        if (write.replicas.isEmpty()) {
          object.write = null;
        }
      }
      settle(object);
    }
  }

  // Writing

  private boolean overdue(Obj object) {
    return object.write != null && now > object.write.grantEnd;
  }

  void dropOverdue(Obj object) {
    if (overdue(object)) {
      giveUp(object.write);
      object.write = null;
      settle(object);
    }
  }

  ErrorCode checkPut(String name, int tenant) {
    Obj object = objects.get(id(name, tenant));
    if (object != null) {
      dropOverdue(object);
    }
    return objects.containsKey(id(name, tenant)) ? ErrorCode.OBJECT_ALREADY_EXISTS : ErrorCode.OK;
  }

  ErrorCode checkUpsert(String name, int tenant, @Nullable String group) {
    Obj object = objects.get(id(name, tenant));
    if (object == null || !object.complete) {
      return ErrorCode.OK;
    }
    if (group != null && !group.equals(object.group)) {
      return ErrorCode.INVALID_PARAMS;
    }
    if (object.transfer != null) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    return ErrorCode.OK;
  }

  /** After {@link #checkPut} or {@link #checkUpsert} answered OK. */
  void start(
      String name,
      int tenant,
      @Nullable String group,
      long size,
      WriteTerms terms,
      ExtentList extents,
      StartedWrite started) {
    Obj object = objects.computeIfAbsent(id(name, tenant), id -> new Obj(name, tenant));
    if (object.write != null) {
      giveUp(object.write);
    }
    if (!object.complete) {
      // Only what was committed outlives the object: nothing, when the put is another one.
      objects.remove(id(name, tenant));
      object = new Obj(name, tenant);
      object.group = group == null ? "" : group;
      objects.put(id(name, tenant), object);
    }
    Write write = new Write();
    write.version = started.version();
    write.writer = terms.writer();
    write.size = size;
    write.grantEnd = now + terms.grantMillis();
    write.terms = terms;
    for (int i = 0; i < extents.size(); i++) {
      Replica replica = new Replica();
      replica.id = started.replicaId(i);
      replica.slot = extents.slot(i);
      replica.generation = extents.generation(i);
      replica.node = extents.node(i);
      write.replicas.add(replica);
    }
    object.write = write;
  }

  ErrorCode end(String name, int tenant, UUID writer, long version, Checksum checksum) {
    Obj object = objects.get(id(name, tenant));
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    Write write = object.write;
    if (write != null && write.version == version) {
      if (!write.writer.equals(writer)) {
        return ErrorCode.ILLEGAL_CLIENT;
      }
      complete(object, write, checksum);
      return ErrorCode.OK;
    }
    if (object.complete && object.version == version) {
      return object.writer.equals(writer) ? ErrorCode.OK : ErrorCode.ILLEGAL_CLIENT;
    }
    UUID owner = write != null ? write.writer : object.writer;
    return owner.equals(writer) ? ErrorCode.INVALID_WRITE : ErrorCode.ILLEGAL_CLIENT;
  }

  private void complete(Obj object, Write write, Checksum checksum) {
    boolean first = !object.complete;
    List.copyOf(object.replicas).forEach(r -> drop(object, r));
    object.complete = true;
    object.read = false;
    object.leaseEnd = first ? now : Math.max(object.leaseEnd, now);
    object.version = write.version;
    object.writer = write.writer;
    object.size = write.size;
    object.checksum = checksum;
    object.hardPinned |= write.terms.hardPin();
    object.transfer = null;
    object.replicas = write.replicas;
    object.replicas.forEach(r -> r.complete = true);
    object.write = null;
    SoftPinAction action = write.terms.softPinAction();
    if (action != SoftPinAction.PRESERVE) {
      long ttl = write.terms.softPinTtlMillis();
      object.softPinEnd = action == SoftPinAction.ENABLE && ttl > 0 ? now + ttl : 0;
    }
    if (first && !object.group.isEmpty()) {
      refreshing.add(id(object.group, object.tenant));
    }
  }

  ErrorCode revoke(String name, int tenant, UUID writer, long version) {
    Obj object = objects.get(id(name, tenant));
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    Write write = object.write;
    if (!(write != null ? write.writer : object.writer).equals(writer)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    if (write == null || write.version != version) {
      return ErrorCode.INVALID_WRITE;
    }
    giveUp(write);
    object.write = null;
    settle(object);
    return ErrorCode.OK;
  }

  void reap() {
    transfers.reap();
    for (Obj object : List.copyOf(objects.values())) {
      Promotion promotion = object.promotion;
      if (promotion != null && promotion.target == null && promotion.waitUntil <= now) {
        object.promotion = null;
      }
      dropOverdue(object);
      List.copyOf(object.replicas).stream()
          .filter(r -> !r.complete && r.holdUntil < now)
          .forEach(r -> drop(object, r));
    }
  }

  // Reading

  private boolean readable(Replica replica) {
    return replica.complete && segments.isServed(replica.slot, replica.generation);
  }

  List<Replica> readable(Obj object) {
    return object.complete ? object.replicas.stream().filter(this::readable).toList() : List.of();
  }

  ErrorCode locate(String name, int tenant) {
    Obj object = objects.get(id(name, tenant));
    if (object == null || (!object.complete && overdue(object))) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (readable(object).isEmpty()) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    long left = object.leaseEnd - now;
    object.read = true;
    object.leaseEnd = Math.max(object.leaseEnd, now + TestPool.LEASE);
    if (!object.group.isEmpty()
        && (left <= TestPool.LEASE / 2 || refreshing.contains(id(object.group, object.tenant)))) {
      refreshing.remove(id(object.group, object.tenant));
      for (Obj member : members(object)) {
        member.leaseEnd = Math.max(member.leaseEnd, object.leaseEnd);
      }
    }
    return ErrorCode.OK;
  }

  List<Obj> members(Obj object) {
    return objects.values().stream()
        .filter(o -> o.complete && o.tenant == object.tenant && o.group.equals(object.group))
        .toList();
  }

  private void leaveGroup(Obj object) {
    if (!object.group.isEmpty() && members(object).isEmpty()) {
      refreshing.remove(id(object.group, object.tenant));
    }
  }

  // Removing

  ErrorCode remove(String name, int tenant, boolean force) {
    Obj object = objects.get(id(name, tenant));
    if (object != null) {
      dropOverdue(object);
      object = objects.get(id(name, tenant));
    }
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (object.complete && !force && object.leaseEnd > now) {
      return ErrorCode.OBJECT_HAS_LEASE;
    }
    if (!object.complete || object.write != null) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    if (object.transfer != null) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    Obj removed = object;
    List.copyOf(object.replicas).forEach(r -> drop(removed, r));
    settle(object);
    return ErrorCode.OK;
  }

  // Evicting

  boolean evictable(Replica replica) {
    return replica.type == ReplicaType.MEMORY
        && replica.complete
        && replica.references == 0
        && segments.isAllocatable(replica.slot, replica.generation);
  }

  boolean softPinned(Obj object) {
    return object.softPinEnd > now;
  }

  /** Something of it may be evicted in that tier, leases aside. */
  boolean candidate(Obj object, EvictionTier tier) {
    return object.complete
        && !object.hardPinned
        && softPinned(object) == (tier == EvictionTier.SOFT_PINNED)
        && object.replicas.stream().anyMatch(this::evictable);
  }

  void evict(Obj object) {
    List.copyOf(object.replicas).stream().filter(this::evictable).forEach(r -> drop(object, r));
    settle(object);
  }

  // Replicas

  private @Nullable Obj complete(String name, int tenant) {
    Obj object = objects.get(id(name, tenant));
    return object != null && object.complete ? object : null;
  }

  private static @Nullable Replica find(Obj object, long id) {
    return object.replicas.stream().filter(r -> r.id == id).findFirst().orElse(null);
  }

  ErrorCode add(String name, int tenant, long version, Replica replica, StartedWrite added) {
    Obj object = complete(name, tenant);
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (object.version != version) {
      return ErrorCode.INVALID_VERSION;
    }
    if (replica.holdUntil <= now) {
      return ErrorCode.INVALID_PARAMS;
    }
    if (!live(replica)) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    if (object.replicas.stream().anyMatch(r -> r.slot == replica.slot)) {
      return ErrorCode.REPLICA_ALREADY_EXISTS;
    }
    replica.id = added.replicaId(0);
    object.replicas.add(replica);
    return ErrorCode.OK;
  }

  ErrorCode commitReplica(String name, int tenant, long version, long id) {
    Obj object = complete(name, tenant);
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (object.version != version) {
      return ErrorCode.INVALID_VERSION;
    }
    Replica replica = find(object, id);
    if (replica == null) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    if (!replica.complete) {
      replica.complete = true;
      replica.holdUntil = 0;
      if (object.promotion != null && object.promotion.target == replica) {
        object.promotion = null;
      }
    }
    return ErrorCode.OK;
  }

  // Promotions

  /** The replica that an object may be promoted from, if it may be. */
  @Nullable Replica promotable(Obj object) {
    if (!object.complete
        || object.write != null
        || object.replicas.stream().anyMatch(r -> r.type == ReplicaType.MEMORY)) {
      return null;
    }
    return object.replicas.stream()
        .filter(r -> segments.isServed(r.slot, r.generation))
        .findFirst()
        .orElse(null);
  }

  ErrorCode settlePromotion(String name, int tenant, long version, long id, boolean written) {
    Obj object = complete(name, tenant);
    if (object == null || object.version != version) {
      return written ? ErrorCode.INVALID_VERSION : ErrorCode.OK;
    }
    Replica replica = find(object, id);
    if (replica != null && replica.complete) {
      return ErrorCode.OK;
    }
    Promotion promotion = object.promotion;
    if (replica == null || promotion == null || promotion.target != replica) {
      return written ? ErrorCode.REPLICA_NOT_FOUND : ErrorCode.OK;
    }
    if (written) {
      return commitReplica(name, tenant, version, id);
    }
    drop(object, replica);
    settle(object);
    return ErrorCode.OK;
  }

  ErrorCode removeReplica(String name, int tenant, long id) {
    Obj object = complete(name, tenant);
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    Replica replica = find(object, id);
    if (replica == null) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    drop(object, replica);
    settle(object);
    return ErrorCode.OK;
  }
}
