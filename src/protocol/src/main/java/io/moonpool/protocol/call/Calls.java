package io.moonpool.protocol.call;

import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.flag;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Message;
import io.moonpool.protocol.wire.Scalars;
import java.util.List;

/**
 * The table of Moonpool's hot calls. The answer of a batch holds one {@link Outcome} per item, in
 * the order of the request.
 */
public final class Calls {
  /** What precedes the name of a call where its function id is made. */
  private static final String PREFIX = "moonpool::Master::";

  private static final Codec<StartObjects> START_OBJECTS =
      struct(
          uuid(StartObjects::writer),
          text(StartObjects::tenant),
          field(Containers.KEYS, StartObjects::keys),
          field(Containers.longs(Scalars.U64), StartObjects::sizes),
          field(Types.REPLICATE_CONFIG, StartObjects::config),
          field(Containers.longs(Scalars.U64), StartObjects::avoided),
          StartObjects::new);

  private static final Codec<StartTransfer> START_TRANSFER =
      struct(
          uuid(StartTransfer::client),
          text(StartTransfer::tenant),
          field(Containers.BYTES, StartTransfer::key),
          text(StartTransfer::source),
          field(Containers.list(Containers.TEXT), StartTransfer::targets),
          StartTransfer::new);

  private static final Codec<EndTransfer> END_TRANSFER =
      struct(
          uuid(EndTransfer::client),
          text(EndTransfer::tenant),
          field(Containers.BYTES, EndTransfer::key),
          u64(EndTransfer::version),
          EndTransfer::new);

  private static final Codec<NamedObjects> NAMED_OBJECTS =
      struct(
          text(NamedObjects::tenant),
          field(Containers.KEYS, NamedObjects::keys),
          NamedObjects::new);

  /** Agrees on a protocol version. */
  public static final Call<Hello, HelloAnswer> HELLO =
      call(
          "Hello",
          struct(i32(Hello::protocolVersion), text(Hello::clientName), Hello::new),
          struct(
              i32(HelloAnswer::protocolVersion),
              text(HelloAnswer::serverVersion),
              text(HelloAnswer::clusterId),
              u64(HelloAnswer::masterEpoch),
              i64(HelloAnswer::leaseTtlMillis),
              i64(HelloAnswer::writeGrantMillis),
              i32(HelloAnswer::heartbeatPort),
              HelloAnswer::new));

  /** Registers a node. */
  public static final Call<RegisterNode, NodeRegistration> REGISTER_NODE =
      call(
          "RegisterNode",
          struct(
              uuid(RegisterNode::nodeId),
              uuid(RegisterNode::startId),
              text(RegisterNode::hostId),
              text(RegisterNode::address),
              RegisterNode::new),
          struct(
              u64(NodeRegistration::incarnation),
              i32(NodeRegistration::slot),
              i64(NodeRegistration::activeTtlMillis),
              NodeRegistration::new));

  /** Tells that a node leaves; answers when nothing of it is left. */
  public static final Call<UnregisterNode, Void> UNREGISTER_NODE =
      call(
          "UnregisterNode",
          struct(
              uuid(UnregisterNode::nodeId), u64(UnregisterNode::incarnation), UnregisterNode::new),
          Scalars.UNIT);

  /** Mounts segments; answers their generations. */
  public static final Call<MountSegments, List<Outcome<Long>>> MOUNT_SEGMENTS =
      call(
          "MountSegments",
          struct(
              uuid(MountSegments::nodeId),
              u64(MountSegments::incarnation),
              field(Containers.list(Types.SEGMENT_SPEC), MountSegments::segments),
              MountSegments::new),
          outcomes(Scalars.U64));

  /** Unmounts a segment. */
  public static final Call<UnmountSegment, Void> UNMOUNT_SEGMENT =
      call(
          "UnmountSegment",
          struct(
              uuid(UnmountSegment::nodeId),
              u64(UnmountSegment::incarnation),
              uuid(UnmountSegment::segmentId),
              i64(UnmountSegment::graceMillis),
              UnmountSegment::new),
          Scalars.UNIT);

  /** Describes segments. */
  public static final Call<DescribeSegments, List<SegmentInfo>> DESCRIBE_SEGMENTS =
      call(
          "DescribeSegments",
          struct(
              field(Containers.longs(Scalars.U64), DescribeSegments::generations),
              DescribeSegments::new),
          Containers.list(Types.SEGMENT_INFO));

  /** Lists the registered nodes. */
  public static final Call<ListClients, List<ClientInfo>> CLIENTS =
      Call.of(
          PREFIX + "Clients",
          Message.empty(new ListClients()),
          Answer.orError(Containers.list(Types.CLIENT_INFO)));

  /** Starts to put objects. */
  public static final Call<StartObjects, List<Outcome<StartedObject>>> PUT_START =
      call("PutStart", START_OBJECTS, outcomes(HotTypes.STARTED_OBJECT));

  /** Starts to upsert objects. */
  public static final Call<StartObjects, List<Outcome<StartedObject>>> UPSERT_START =
      call("UpsertStart", START_OBJECTS, outcomes(HotTypes.STARTED_OBJECT));

  /** Ends writes. */
  public static final Call<EndObjects, List<Outcome<Void>>> END =
      call(
          "End",
          struct(
              uuid(EndObjects::writer),
              text(EndObjects::tenant),
              field(Containers.KEYS, EndObjects::keys),
              field(Containers.longs(Scalars.U64), EndObjects::versions),
              field(Containers.list(HotTypes.CHECKSUM), EndObjects::checksums),
              EndObjects::new),
          outcomes(Scalars.UNIT));

  /** Gives up writes. */
  public static final Call<RevokeObjects, List<Outcome<Void>>> REVOKE =
      call(
          "Revoke",
          struct(
              uuid(RevokeObjects::writer),
              text(RevokeObjects::tenant),
              field(Containers.KEYS, RevokeObjects::keys),
              field(Containers.longs(Scalars.U64), RevokeObjects::versions),
              RevokeObjects::new),
          outcomes(Scalars.UNIT));

  /** Locates and leases objects. */
  public static final Call<NamedObjects, List<Outcome<LocatedObject>>> LOCATE =
      call("Locate", NAMED_OBJECTS, outcomes(HotTypes.LOCATED_OBJECT));

  /** Tells which objects can be read. */
  public static final Call<NamedObjects, List<Outcome<Boolean>>> EXISTS =
      call("Exists", NAMED_OBJECTS, outcomes(Scalars.BOOL));

  /** Describes objects. */
  public static final Call<NamedObjects, List<Outcome<ObjectInfo>>> DESCRIBE =
      call("Describe", NAMED_OBJECTS, outcomes(Types.OBJECT_INFO));

  /** Removes objects. */
  public static final Call<RemoveObjects, List<Outcome<Void>>> REMOVE =
      call(
          "Remove",
          struct(
              text(RemoveObjects::tenant),
              field(Containers.KEYS, RemoveObjects::keys),
              flag(RemoveObjects::force),
              RemoveObjects::new),
          outcomes(Scalars.UNIT));

  /** Removes all matching objects; answers how many. */
  public static final Call<RemoveMatching, Long> REMOVE_MATCHING =
      call(
          "RemoveMatching",
          struct(
              text(RemoveMatching::tenant),
              text(RemoveMatching::pattern),
              flag(RemoveMatching::force),
              RemoveMatching::new),
          Scalars.I64);

  /** Lists objects page by page. */
  public static final Call<ListObjects, ObjectPage> LIST =
      call(
          "List",
          struct(
              text(ListObjects::tenant),
              text(ListObjects::pattern),
              u64(ListObjects::cursor),
              i32(ListObjects::limit),
              ListObjects::new),
          struct(
              field(Containers.list(Types.OBJECT_INFO), ObjectPage::objects),
              u64(ObjectPage::nextCursor),
              ObjectPage::new));

  /** A heartbeat on the main port. */
  public static final Call<Ping, PingAnswer> PING =
      call(
          "Ping",
          struct(i32(Ping::slot), u64(Ping::incarnation), u64(Ping::sequence), Ping::new),
          struct(
              u64(PingAnswer::sequence),
              field(
                  Scalars.enumeration(Scalars.U8, PingStatus::number, PingStatus::ofNumber),
                  PingAnswer::status),
              u64(PingAnswer::masterEpoch),
              i32(PingAnswer::viewVersion),
              PingAnswer::new));

  /** Reports what a disk holds after it was mounted. */
  public static final Call<ReportDiskObjects, List<Outcome<Void>>> REPORT_DISK_OBJECTS =
      call(
          "ReportDiskObjects",
          struct(
              uuid(ReportDiskObjects::nodeId),
              u64(ReportDiskObjects::incarnation),
              u64(ReportDiskObjects::generation),
              field(Containers.list(Types.DISK_OBJECT), ReportDiskObjects::objects),
              flag(ReportDiskObjects::last),
              ReportDiskObjects::new),
          outcomes(Scalars.UNIT));

  /** Waits for work for a disk. */
  public static final Call<TakeDiskWork, DiskWork> TAKE_DISK_WORK =
      call(
          "TakeDiskWork",
          struct(
              uuid(TakeDiskWork::nodeId),
              u64(TakeDiskWork::incarnation),
              u64(TakeDiskWork::generation),
              u64(TakeDiskWork::usedBytes),
              flag(TakeDiskWork::accepting),
              i32(TakeDiskWork::maxTasks),
              i32(TakeDiskWork::maxPromotions),
              i64(TakeDiskWork::waitMillis),
              TakeDiskWork::new),
          struct(
              field(Containers.list(Types.OFFLOAD_TASK), DiskWork::offloads),
              field(Containers.list(Types.PROMOTION_TASK), DiskWork::promotions),
              field(Containers.list(Types.DISK_RECORD), DiskWork::dead),
              i64(DiskWork::waitedMillis),
              DiskWork::new));

  /** Tells how offloads ended. */
  public static final Call<SettleOffloads, List<Outcome<Void>>> SETTLE_OFFLOADS =
      call(
          "SettleOffloads",
          struct(
              uuid(SettleOffloads::nodeId),
              u64(SettleOffloads::incarnation),
              u64(SettleOffloads::generation),
              field(Containers.list(Types.SETTLED_OFFLOAD), SettleOffloads::offloads),
              SettleOffloads::new),
          outcomes(Scalars.UNIT));

  /** Tells how promotions ended. */
  public static final Call<SettlePromotions, List<Outcome<Void>>> SETTLE_PROMOTIONS =
      call(
          "SettlePromotions",
          struct(
              uuid(SettlePromotions::nodeId),
              u64(SettlePromotions::incarnation),
              u64(SettlePromotions::generation),
              field(Containers.list(Types.SETTLED_PROMOTION), SettlePromotions::promotions),
              SettlePromotions::new),
          outcomes(Scalars.UNIT));

  /** Tells what a disk is about to evict. */
  public static final Call<DropDiskObjects, List<Outcome<Void>>> DROP_DISK_OBJECTS =
      call(
          "DropDiskObjects",
          struct(
              uuid(DropDiskObjects::nodeId),
              u64(DropDiskObjects::incarnation),
              u64(DropDiskObjects::generation),
              field(Containers.list(Types.DISK_RECORD), DropDiskObjects::records),
              DropDiskObjects::new),
          outcomes(Scalars.UNIT));

  /** Tells which dead records a disk will never report again. */
  public static final Call<AckTombstones, Void> ACK_TOMBSTONES =
      call(
          "AckTombstones",
          struct(
              uuid(AckTombstones::nodeId),
              u64(AckTombstones::incarnation),
              u64(AckTombstones::generation),
              field(Containers.list(Types.DISK_RECORD), AckTombstones::records),
              AckTombstones::new),
          Scalars.UNIT);

  /** Has what would be lost with a memory segment written to disk; tells what that is. */
  public static final Call<OffloadSegment, MemoryOnly> OFFLOAD_SEGMENT =
      call(
          "OffloadSegment",
          struct(
              uuid(OffloadSegment::nodeId),
              u64(OffloadSegment::incarnation),
              u64(OffloadSegment::generation),
              OffloadSegment::new),
          struct(
              u64(MemoryOnly::objects),
              u64(MemoryOnly::bytes),
              u64(MemoryOnly::writes),
              field(Containers.list(Types.DISK_RECORD), MemoryOnly::first),
              MemoryOnly::new));

  /** Waits for tasks for a node. */
  public static final Call<TakeTasks, List<ReplicaTask>> TAKE_TASKS =
      call(
          "TakeTasks",
          struct(
              uuid(TakeTasks::nodeId),
              u64(TakeTasks::incarnation),
              i32(TakeTasks::maxTasks),
              i64(TakeTasks::waitMillis),
              TakeTasks::new),
          Containers.list(Types.REPLICA_TASK));

  /** Tells how tasks ended. */
  public static final Call<SettleTasks, List<Outcome<Void>>> SETTLE_TASKS =
      call(
          "SettleTasks",
          struct(
              uuid(SettleTasks::nodeId),
              u64(SettleTasks::incarnation),
              field(Containers.list(Types.SETTLED_TASK), SettleTasks::tasks),
              SettleTasks::new),
          outcomes(Scalars.UNIT));

  /** Starts to copy an object; the caller writes the targets. */
  public static final Call<StartTransfer, ReplicaTask> COPY_START =
      call("CopyStart", START_TRANSFER, Types.REPLICA_TASK);

  /** The targets of a copy have all bytes: readers may have them. */
  public static final Call<EndTransfer, Void> COPY_END =
      call("CopyEnd", END_TRANSFER, Scalars.UNIT);

  /** Gives a copy up. */
  public static final Call<EndTransfer, Void> COPY_REVOKE =
      call("CopyRevoke", END_TRANSFER, Scalars.UNIT);

  /** Starts to move a replica of an object; the caller writes the target. */
  public static final Call<StartTransfer, ReplicaTask> MOVE_START =
      call("MoveStart", START_TRANSFER, Types.REPLICA_TASK);

  /** The target of a move has all bytes: readers may have it, and the source is removed. */
  public static final Call<EndTransfer, Void> MOVE_END =
      call("MoveEnd", END_TRANSFER, Scalars.UNIT);

  /** Gives a move up: the source stays. */
  public static final Call<EndTransfer, Void> MOVE_REVOKE =
      call("MoveRevoke", END_TRANSFER, Scalars.UNIT);

  /** Every call, in the order of this table. */
  public static final List<Call<?, ?>> ALL =
      List.of(
          HELLO,
          REGISTER_NODE,
          UNREGISTER_NODE,
          MOUNT_SEGMENTS,
          UNMOUNT_SEGMENT,
          DESCRIBE_SEGMENTS,
          CLIENTS,
          PUT_START,
          UPSERT_START,
          END,
          REVOKE,
          LOCATE,
          EXISTS,
          DESCRIBE,
          REMOVE,
          REMOVE_MATCHING,
          LIST,
          PING,
          REPORT_DISK_OBJECTS,
          TAKE_DISK_WORK,
          SETTLE_OFFLOADS,
          SETTLE_PROMOTIONS,
          DROP_DISK_OBJECTS,
          ACK_TOMBSTONES,
          OFFLOAD_SEGMENT,
          TAKE_TASKS,
          SETTLE_TASKS,
          COPY_START,
          COPY_END,
          COPY_REVOKE,
          MOVE_START,
          MOVE_END,
          MOVE_REVOKE);

  private Calls() {}

  private static <Q, R> Call<Q, R> call(String name, Codec<Q> request, Codec<R> result) {
    return Call.of(PREFIX + name, Message.of(request), Answer.orError(result));
  }

  private static <T> Codec<List<Outcome<T>>> outcomes(Codec<T> item) {
    return Containers.list(Choices.outcome(item));
  }
}
