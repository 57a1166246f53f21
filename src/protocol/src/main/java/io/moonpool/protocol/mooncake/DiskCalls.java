package io.moonpool.protocol.mooncake;

import static io.moonpool.protocol.mooncake.MooncakeCalls.each;
import static io.moonpool.protocol.mooncake.MooncakeCalls.one;
import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.flag;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;
import java.util.List;
import java.util.UUID;

/** The calls about the disks of clients. */
public final class DiskCalls {
  private static final Codec<DiskMessages.Offloading> OFFLOADING =
      struct(
          uuid(DiskMessages.Offloading::client),
          flag(DiskMessages.Offloading::enabled),
          DiskMessages.Offloading::new);

  static final Codec<DiskMessages.ClientKey> CLIENT_KEY =
      struct(
          uuid(DiskMessages.ClientKey::client),
          field(Containers.BYTES, DiskMessages.ClientKey::key),
          text(DiskMessages.ClientKey::tenant),
          DiskMessages.ClientKey::new);

  private static final Codec<List<DiskMessages.ObjectTask>> TASKS =
      Containers.list(MooncakeTypes.OBJECT_TASK);

  /** Registers a client's disk. */
  public static final Call<DiskMessages.Offloading, Void> MOUNT_LOCAL_DISK_SEGMENT =
      one("MountLocalDiskSegment", OFFLOADING, Scalars.UNIT);

  /** Takes a client's disk back. */
  public static final Call<UUID, Void> UNMOUNT_LOCAL_DISK_SEGMENT =
      one("UnmountLocalDiskSegment", Scalars.ID, Scalars.UNIT);

  /** Asks for objects to be written to disk. */
  public static final Call<DiskMessages.Offloading, List<DiskMessages.ObjectTask>>
      OFFLOAD_OBJECT_HEARTBEAT = one("OffloadObjectHeartbeat", OFFLOADING, TASKS);

  /** Tells how large a client's disk is. */
  public static final Call<DiskMessages.Capacity, Void> REPORT_SSD_CAPACITY =
      one(
          "ReportSsdCapacity",
          struct(
              uuid(DiskMessages.Capacity::client),
              i64(DiskMessages.Capacity::bytes),
              DiskMessages.Capacity::new),
          Scalars.UNIT);

  /** Tells how offloads ended, and what a disk holds. */
  public static final Call<DiskMessages.Offloaded, Void> NOTIFY_OFFLOAD_SUCCESS =
      one(
          "NotifyOffloadSuccess",
          struct(
              uuid(DiskMessages.Offloaded::client),
              field(TASKS, DiskMessages.Offloaded::tasks),
              field(Containers.list(MooncakeTypes.STORED_AT), DiskMessages.Offloaded::stored),
              DiskMessages.Offloaded::new),
          Scalars.UNIT);

  /** Asks for objects to be brought back from disk. */
  public static final Call<UUID, List<DiskMessages.ObjectTask>> PROMOTION_OBJECT_HEARTBEAT =
      one("PromotionObjectHeartbeat", Scalars.ID, TASKS);

  /** Asks for memory for an object of a disk. */
  public static final Call<DiskMessages.PromotionStart, DiskMessages.PromotionStarted>
      PROMOTION_ALLOC_START =
          one(
              "PromotionAllocStart",
              struct(
                  uuid(DiskMessages.PromotionStart::client),
                  field(Containers.BYTES, DiskMessages.PromotionStart::key),
                  text(DiskMessages.PromotionStart::tenant),
                  u64(DiskMessages.PromotionStart::size),
                  field(
                      Containers.list(Containers.TEXT),
                      DiskMessages.PromotionStart::preferredSegments),
                  DiskMessages.PromotionStart::new),
              struct(
                  field(MooncakeTypes.REPLICA, DiskMessages.PromotionStarted::memory),
                  DiskMessages.PromotionStarted::new));

  /** An object was brought back from disk. */
  public static final Call<DiskMessages.ClientKey, Void> NOTIFY_PROMOTION_SUCCESS =
      one("NotifyPromotionSuccess", CLIENT_KEY, Scalars.UNIT);

  /** An object was not brought back from disk. */
  public static final Call<DiskMessages.ClientKey, Void> NOTIFY_PROMOTION_FAILURE =
      one("NotifyPromotionFailure", CLIENT_KEY, Scalars.UNIT);

  /** A client has evicted an object from its disk. */
  public static final Call<DiskMessages.Evict, Void> EVICT_DISK_REPLICA =
      one(
          "EvictDiskReplica",
          struct(
              uuid(DiskMessages.Evict::client),
              field(Containers.BYTES, DiskMessages.Evict::key),
              text(DiskMessages.Evict::tenant),
              i32(DiskMessages.Evict::replicaType),
              DiskMessages.Evict::new),
          Scalars.UNIT);

  /** A client has evicted objects from its disk. */
  public static final Call<DiskMessages.BatchEvict, List<Outcome<Void>>> BATCH_EVICT_DISK_REPLICA =
      each(
          "BatchEvictDiskReplica",
          struct(
              uuid(DiskMessages.BatchEvict::client),
              field(Containers.KEYS, DiskMessages.BatchEvict::keys),
              text(DiskMessages.BatchEvict::tenant),
              i32(DiskMessages.BatchEvict::replicaType),
              DiskMessages.BatchEvict::new),
          Scalars.UNIT);

  /** Tells, once, whether all of a client's disk is to be removed. */
  public static final Call<UUID, Boolean> POLL_REMOVE_ALL =
      one("PollRemoveAll", Scalars.ID, Scalars.BOOL);

  private static final List<Call<?, ?>> ALL =
      List.of(
          MOUNT_LOCAL_DISK_SEGMENT,
          UNMOUNT_LOCAL_DISK_SEGMENT,
          OFFLOAD_OBJECT_HEARTBEAT,
          REPORT_SSD_CAPACITY,
          NOTIFY_OFFLOAD_SUCCESS,
          PROMOTION_OBJECT_HEARTBEAT,
          PROMOTION_ALLOC_START,
          NOTIFY_PROMOTION_SUCCESS,
          NOTIFY_PROMOTION_FAILURE,
          EVICT_DISK_REPLICA,
          BATCH_EVICT_DISK_REPLICA,
          POLL_REMOVE_ALL);

  private DiskCalls() {}

  /** All of them. */
  static List<Call<?, ?>> all() {
    return ALL;
  }
}
