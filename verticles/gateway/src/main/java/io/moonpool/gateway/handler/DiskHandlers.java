package io.moonpool.gateway.handler;

import io.moonpool.gateway.client.MooncakeClient;
import io.moonpool.gateway.client.MooncakeClients;
import io.moonpool.gateway.disk.MooncakeDisk;
import io.moonpool.gateway.segment.DiskEndpoints;
import io.moonpool.gateway.segment.Replicas;
import io.moonpool.master.MasterContext;
import io.moonpool.master.api.CallTable;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.protocol.call.TakeDiskWork;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.mooncake.DiskCalls;
import io.moonpool.protocol.mooncake.DiskMessages.BatchEvict;
import io.moonpool.protocol.mooncake.DiskMessages.Capacity;
import io.moonpool.protocol.mooncake.DiskMessages.ClientKey;
import io.moonpool.protocol.mooncake.DiskMessages.Evict;
import io.moonpool.protocol.mooncake.DiskMessages.ObjectTask;
import io.moonpool.protocol.mooncake.DiskMessages.Offloaded;
import io.moonpool.protocol.mooncake.DiskMessages.Offloading;
import io.moonpool.protocol.mooncake.DiskMessages.PromotionStart;
import io.moonpool.protocol.mooncake.DiskMessages.PromotionStarted;
import io.moonpool.protocol.mooncake.DiskMessages.StoredAt;
import io.moonpool.protocol.mooncake.Replica;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Disks of clients. What a client has on its disk carries no version, so only what this master has
 * asked for is taken over: what a client reports of an earlier life may be of objects that were
 * removed or overwritten since.
 */
public final class DiskHandlers {
  private static final byte[] DISK = "disk".getBytes(StandardCharsets.UTF_8);
  private static final String NAME = "disk of ";

  /** Clients tell their capacity after they have mounted, so it is their default that counts. */
  private static final long CAPACITY_BYTES = 2L << 40;

  private static final int MOST_OFFLOADS = 10_000;
  private static final int MOST_PROMOTIONS = 64;

  private final MasterContext master;
  private final MooncakeClients clients;
  private final DiskEndpoints endpoints;
  private final Replicas replicas;

  /** Handlers that carry calls out by the master's operations. */
  public DiskHandlers(
      MasterContext master, MooncakeClients clients, DiskEndpoints endpoints, Replicas replicas) {
    this.master = master;
    this.clients = clients;
    this.endpoints = endpoints;
    this.replicas = replicas;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(DiskCalls.MOUNT_LOCAL_DISK_SEGMENT, this::mount)
        .on(DiskCalls.UNMOUNT_LOCAL_DISK_SEGMENT, this::unmount)
        .on(
            DiskCalls.OFFLOAD_OBJECT_HEARTBEAT,
            request -> with(request.client(), mounted -> offloads(mounted, request)))
        .on(DiskCalls.REPORT_SSD_CAPACITY, this::capacity)
        .on(
            DiskCalls.NOTIFY_OFFLOAD_SUCCESS,
            request -> with(request.client(), mounted -> offloaded(mounted, request)))
        .on(DiskCalls.PROMOTION_OBJECT_HEARTBEAT, id -> with(id, this::promotions))
        .on(
            DiskCalls.PROMOTION_ALLOC_START,
            request -> with(request.client(), mounted -> promote(mounted.disk(), request)))
        .on(DiskCalls.NOTIFY_PROMOTION_SUCCESS, request -> promoted(request, true))
        .on(DiskCalls.NOTIFY_PROMOTION_FAILURE, request -> promoted(request, false))
        .on(DiskCalls.EVICT_DISK_REPLICA, this::evict)
        .on(DiskCalls.BATCH_EVICT_DISK_REPLICA, this::evictEach)
        // Nothing is ever removed from a disk in this way: objects under a lease may be there.
        .on(DiskCalls.POLL_REMOVE_ALL, id -> with(id, mounted -> Future.succeededFuture(false)));
  }

  /** A disk and whose it is. */
  private record Mounted(MooncakeClient owner, MooncakeDisk disk) {}

  /** The disk that a client has mounted, or null. */
  private @Nullable Mounted find(UUID id) {
    MooncakeClient owner = clients.find(id);
    MooncakeDisk disk = owner == null ? null : owner.disk();
    return owner == null || disk == null ? null : new Mounted(owner, disk);
  }

  private <T> Future<T> with(UUID id, Function<Mounted, Future<T>> body) {
    Mounted mounted = find(id);
    return mounted == null
        ? Future.failedFuture(new StoreException(ErrorCode.SEGMENT_NOT_FOUND))
        : body.apply(mounted);
  }

  private boolean isOff() {
    return !master.config().offload().enabled();
  }

  private Future<Void> mount(Offloading request) {
    if (isOff()) {
      return Future.failedFuture(new StoreException(ErrorCode.UNABLE_OFFLOAD));
    }
    return clients.as(request.client(), "", this::mount);
  }

  private Future<Void> mount(MooncakeClient client) {
    if (client.disk() != null) {
      return Future.succeededFuture();
    }
    UUID segment = UUID.nameUUIDFromBytes((NAME + client.id()).getBytes(StandardCharsets.UTF_8));
    SegmentSpec spec =
        new SegmentSpec(
            segment,
            NAME + client.id(),
            CAPACITY_BYTES,
            "",
            List.of(new SegmentEndpoint(SegmentEndpoint.MOONCAKE, DISK)),
            SegmentKind.LOCAL_DISK);
    return Outcomes.only(
            master
                .operations()
                .mountSegments(new MountSegments(client.id(), client.incarnation(), List.of(spec))))
        .compose(
            generation ->
                master
                    .disks()
                    .report(
                        new ReportDiskObjects(
                            client.id(), client.incarnation(), generation, List.of(), true))
                    .map(generation))
        .map(
            generation -> {
              client.disk(new MooncakeDisk(segment, generation));
              return null;
            });
  }

  private Future<Void> unmount(UUID id) {
    if (isOff()) {
      return Future.failedFuture(new StoreException(ErrorCode.UNABLE_OFFLOAD));
    }
    Mounted mounted = find(id);
    if (mounted == null) {
      return Future.succeededFuture();
    }
    MooncakeClient client = mounted.owner();
    MooncakeDisk disk = mounted.disk();
    return master
        .operations()
        .unmountSegment(new UnmountSegment(client.id(), client.incarnation(), disk.segment(), 0))
        .onSuccess(
            ignored -> {
              client.disk(null);
              endpoints.forget(disk.generation());
            });
  }

  private Future<Void> capacity(Capacity request) {
    return with(
        request.client(),
        mounted ->
            request.bytes() < 0
                ? Future.failedFuture(new StoreException(ErrorCode.INVALID_PARAMS))
                : Future.succeededFuture());
  }

  // Offloads

  private Future<List<ObjectTask>> offloads(Mounted mounted, Offloading request) {
    return take(mounted, request.enabled(), MOST_OFFLOADS, 0)
        .map(
            work ->
                mounted.disk().takeOffloads().stream().map(task -> told(task.object())).toList());
  }

  private static ObjectTask told(DiskObject object) {
    return new ObjectTask(object.tenant(), object.key(), object.size());
  }

  /** What there is to do; offloads are remembered until the client asks for some. */
  private Future<DiskWork> take(
      Mounted mounted, boolean accepting, int mostOffloads, int mostPromotions) {
    MooncakeClient owner = mounted.owner();
    MooncakeDisk disk = mounted.disk();
    TakeDiskWork request =
        new TakeDiskWork(
            owner.id(),
            owner.incarnation(),
            disk.generation(),
            0,
            accepting,
            mostOffloads,
            mostPromotions,
            0);
    return master
        .disks()
        .take(request)
        .onSuccess(
            work -> {
              disk.wanted(work.offloads());
              if (!work.dead().isEmpty()) {
                // The disk may keep them, but nothing that it tells of them is ever heard.
                master
                    .disks()
                    .acknowledge(
                        new AckTombstones(
                            owner.id(), owner.incarnation(), disk.generation(), work.dead()));
              }
            });
  }

  private Future<Void> offloaded(Mounted mounted, Offloaded request) {
    MooncakeClient owner = mounted.owner();
    MooncakeDisk disk = mounted.disk();
    List<ObjectTask> tasks = request.tasks();
    if (tasks.size() != request.stored().size()) {
      return Future.failedFuture(
          new StoreException(ErrorCode.INVALID_PARAMS, "tell of each object where it is"));
    }
    List<SettledOffload> settled = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      OffloadTask task = disk.offloaded(tasks.get(i).tenant(), tasks.get(i).key());
      if (task != null) {
        StoredAt where = request.stored().get(i);
        boolean stored = where.dataSize() == task.object().size();
        if (stored) {
          endpoints.told(disk.generation(), new DiskEndpoints.Disk(owner.id(), where.endpoint()));
        }
        settled.add(
            new SettledOffload(
                task.object().tenant(),
                task.object().key(),
                task.object().version(),
                task.replicaId(),
                stored));
      }
    }
    return settled.isEmpty()
        ? Future.succeededFuture()
        : master
            .disks()
            .settle(new SettleOffloads(owner.id(), owner.incarnation(), disk.generation(), settled))
            .mapEmpty();
  }

  // Promotions

  private Future<List<ObjectTask>> promotions(Mounted mounted) {
    return take(mounted, true, 1, MOST_PROMOTIONS)
        .map(
            work -> {
              work.promotions().forEach(mounted.disk()::promoting);
              return work.promotions().stream().map(task -> told(task.object())).toList();
            });
  }

  /** The memory was reserved when the client was told to bring the object back. */
  private Future<PromotionStarted> promote(MooncakeDisk disk, PromotionStart request) {
    PromotionTask task = disk.promotion(request.tenant(), request.key());
    if (task == null) {
      return Future.failedFuture(new StoreException(ErrorCode.REPLICA_IS_NOT_READY));
    }
    if (task.object().size() != request.size()) {
      return Future.failedFuture(new StoreException(ErrorCode.INVALID_PARAMS));
    }
    Replica memory =
        replicas.memory(
            task.target().replicaId(),
            task.target().generation(),
            task.target().offset(),
            task.object().size(),
            ReplicaStatus.PROCESSING);
    return memory == null
        ? Future.failedFuture(new StoreException(ErrorCode.REPLICA_IS_NOT_READY))
        : Future.succeededFuture(new PromotionStarted(memory));
  }

  private Future<Void> promoted(ClientKey request, boolean written) {
    Mounted mounted = find(request.client());
    PromotionTask task =
        mounted == null ? null : mounted.disk().promoted(request.tenant(), request.key());
    if (mounted == null || task == null) {
      return written
          ? Future.failedFuture(new StoreException(ErrorCode.REPLICA_IS_NOT_READY))
          : Future.succeededFuture();
    }
    MooncakeClient owner = mounted.owner();
    return Outcomes.only(
        master
            .disks()
            .settle(
                new SettlePromotions(
                    owner.id(),
                    owner.incarnation(),
                    mounted.disk().generation(),
                    List.of(
                        new SettledPromotion(
                            task.object().tenant(),
                            task.object().key(),
                            task.object().version(),
                            task.target().replicaId(),
                            written)))));
  }

  // Evictions

  private Future<Void> evict(Evict request) {
    return Outcomes.only(
        evict(
            request.client(),
            request.tenant(),
            Outcomes.batch(request.key()),
            request.replicaType()));
  }

  private Future<List<Outcome<Void>>> evictEach(BatchEvict request) {
    return Outcomes.each(
        request.keys().size(),
        evict(request.client(), request.tenant(), request.keys(), request.replicaType()));
  }

  private Future<List<Outcome<Void>>> evict(
      UUID client, String tenant, KeyBatch keys, int replicaType) {
    return master
        .operations()
        .describe(new NamedObjects(tenant, keys))
        .compose(known -> evict(client, tenant, keys, replicaType, known));
  }

  private Future<List<Outcome<Void>>> evict(
      UUID id, String tenant, KeyBatch keys, int replicaType, List<Outcome<ObjectInfo>> known) {
    Mounted mounted = find(id);
    boolean local = replicaType == ReplicaType.LOCAL_DISK.number();
    boolean valid = local || replicaType == ReplicaType.DISK.number();
    List<Outcome<Void>> outcomes = new ArrayList<>(known.size());
    List<Integer> items = new ArrayList<>();
    List<DiskRecord> records = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      Outcome<ObjectInfo> object = known.get(i);
      if (!object.ok()) {
        outcomes.add(Outcome.error(object.code()));
      } else if (!valid) {
        outcomes.add(Outcome.error(ErrorCode.INVALID_PARAMS));
      } else {
        outcomes.add(Outcome.done());
        if (local && mounted != null && isOn(mounted.disk(), object.get())) {
          items.add(i);
          byte[] key = new byte[keys.length(i)];
          System.arraycopy(keys.bytes(), keys.offset(i), key, 0, key.length);
          records.add(new DiskRecord(tenant, key, object.get().version()));
        }
      }
    }
    if (mounted == null || records.isEmpty()) {
      return Future.succeededFuture(outcomes);
    }
    MooncakeClient owner = mounted.owner();
    return master
        .disks()
        .drop(
            new DropDiskObjects(
                owner.id(), owner.incarnation(), mounted.disk().generation(), records))
        .map(
            dropped -> {
              for (int i = 0; i < dropped.size(); i++) {
                outcomes.set(items.get(i), dropped.get(i));
              }
              return outcomes;
            });
  }

  private static boolean isOn(MooncakeDisk disk, ObjectInfo object) {
    for (ReplicaDescriptor replica : object.replicas()) {
      if (replica.generation() == disk.generation()) {
        return true;
      }
    }
    return false;
  }
}
