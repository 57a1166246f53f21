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
import io.moonpool.model.ClientState;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;

/** How the records of the model are serialised: their components in order. */
final class Types {
  private static final Codec<ObjectDataType> DATA_TYPE =
      Scalars.enumeration(Scalars.U8, ObjectDataType::number, ObjectDataType::ofNumber);

  static final Codec<ReplicateConfig> REPLICATE_CONFIG =
      struct(
          i32(ReplicateConfig::replicaNum),
          field(
              Scalars.enumeration(Scalars.U8, SoftPinAction::number, SoftPinAction::ofNumber),
              ReplicateConfig::softPinAction),
          field(Choices.optional(Scalars.I64), ReplicateConfig::softPinTtlMillis),
          flag(ReplicateConfig::hardPin),
          field(Containers.list(Containers.TEXT), ReplicateConfig::preferredSegments),
          flag(ReplicateConfig::preferAllocInSameNode),
          field(DATA_TYPE, ReplicateConfig::dataType),
          text(ReplicateConfig::hostId),
          field(Containers.list(Containers.TEXT), ReplicateConfig::groupIds),
          ReplicateConfig::new);

  static final Codec<ObjectInfo> OBJECT_INFO =
      struct(
          text(ObjectInfo::tenant),
          text(ObjectInfo::key),
          u64(ObjectInfo::size),
          u64(ObjectInfo::version),
          field(HotTypes.CHECKSUM, ObjectInfo::checksum),
          i64(ObjectInfo::leaseRemainingMillis),
          i64(ObjectInfo::softPinRemainingMillis),
          flag(ObjectInfo::hardPinned),
          field(DATA_TYPE, ObjectInfo::dataType),
          text(ObjectInfo::group),
          field(Containers.list(HotTypes.REPLICA), ObjectInfo::replicas),
          ObjectInfo::new);

  private static final Codec<SegmentEndpoint> SEGMENT_ENDPOINT =
      struct(
          text(SegmentEndpoint::transport),
          field(Containers.BYTES, SegmentEndpoint::descriptor),
          SegmentEndpoint::new);

  static final Codec<SegmentSpec> SEGMENT_SPEC =
      struct(
          uuid(SegmentSpec::id),
          text(SegmentSpec::name),
          u64(SegmentSpec::size),
          text(SegmentSpec::hostId),
          field(Containers.list(SEGMENT_ENDPOINT), SegmentSpec::endpoints),
          field(
              Scalars.enumeration(Scalars.U8, SegmentKind::number, SegmentKind::ofNumber),
              SegmentSpec::kind),
          SegmentSpec::new);

  private static final Codec<ClientState> CLIENT_STATE =
      Scalars.enumeration(Scalars.U8, ClientState::number, ClientState::ofNumber);

  static final Codec<SegmentInfo> SEGMENT_INFO =
      struct(
          field(SEGMENT_SPEC, SegmentInfo::spec),
          uuid(SegmentInfo::nodeId),
          u64(SegmentInfo::generation),
          field(
              Scalars.enumeration(Scalars.U8, SegmentStatus::number, SegmentStatus::ofNumber),
              SegmentInfo::status),
          field(CLIENT_STATE, SegmentInfo::ownerState),
          u64(SegmentInfo::usedBytes),
          SegmentInfo::new);

  static final Codec<ClientInfo> CLIENT_INFO =
      struct(
          uuid(ClientInfo::nodeId),
          u64(ClientInfo::incarnation),
          text(ClientInfo::hostId),
          text(ClientInfo::address),
          field(CLIENT_STATE, ClientInfo::state),
          i64(ClientInfo::silentMillis),
          i32(ClientInfo::segments),
          ClientInfo::new);

  static final Codec<DiskObject> DISK_OBJECT =
      struct(
          text(DiskObject::tenant),
          field(Containers.BYTES, DiskObject::key),
          u64(DiskObject::version),
          u64(DiskObject::size),
          field(HotTypes.CHECKSUM, DiskObject::checksum),
          field(DATA_TYPE, DiskObject::dataType),
          flag(DiskObject::hardPinned),
          i64(DiskObject::softPinMillis),
          text(DiskObject::group),
          DiskObject::new);

  static final Codec<DiskRecord> DISK_RECORD =
      struct(
          text(DiskRecord::tenant),
          field(Containers.BYTES, DiskRecord::key),
          u64(DiskRecord::version),
          DiskRecord::new);

  static final Codec<OffloadTask> OFFLOAD_TASK =
      struct(
          field(DISK_OBJECT, OffloadTask::object),
          u64(OffloadTask::replicaId),
          u64(OffloadTask::sourceGeneration),
          u64(OffloadTask::sourceOffset),
          i64(OffloadTask::holdMillis),
          OffloadTask::new);

  static final Codec<SettledPromotion> SETTLED_PROMOTION =
      struct(
          text(SettledPromotion::tenant),
          field(Containers.BYTES, SettledPromotion::key),
          u64(SettledPromotion::version),
          u64(SettledPromotion::replicaId),
          flag(SettledPromotion::written),
          SettledPromotion::new);

  static final Codec<SettledOffload> SETTLED_OFFLOAD =
      struct(
          text(SettledOffload::tenant),
          field(Containers.BYTES, SettledOffload::key),
          u64(SettledOffload::version),
          u64(SettledOffload::replicaId),
          flag(SettledOffload::stored),
          SettledOffload::new);

  private static final Codec<ReplicaSource> REPLICA_SOURCE =
      struct(
          field(HotTypes.REPLICA_TYPE, ReplicaSource::type),
          u64(ReplicaSource::generation),
          u64(ReplicaSource::offset),
          ReplicaSource::new);

  private static final Codec<ReplicaTarget> REPLICA_TARGET =
      struct(
          u64(ReplicaTarget::replicaId),
          u64(ReplicaTarget::generation),
          u64(ReplicaTarget::offset),
          ReplicaTarget::new);

  static final Codec<PromotionTask> PROMOTION_TASK =
      struct(
          field(DISK_OBJECT, PromotionTask::object),
          field(REPLICA_TARGET, PromotionTask::target),
          i64(PromotionTask::grantMillis),
          PromotionTask::new);

  static final Codec<ReplicaTask> REPLICA_TASK =
      struct(
          uuid(ReplicaTask::taskId),
          field(
              Scalars.enumeration(Scalars.U8, TaskType::number, TaskType::ofNumber),
              ReplicaTask::type),
          flag(ReplicaTask::isDrain),
          field(DISK_OBJECT, ReplicaTask::object),
          field(REPLICA_SOURCE, ReplicaTask::source),
          field(Containers.list(REPLICA_TARGET), ReplicaTask::targets),
          uuid(ReplicaTask::group),
          i32(ReplicaTask::atOnce),
          i64(ReplicaTask::grantMillis),
          ReplicaTask::new);

  static final Codec<SettledTask> SETTLED_TASK =
      struct(
          uuid(SettledTask::taskId),
          i32(SettledTask::code),
          text(SettledTask::message),
          SettledTask::new);

  private Types() {}
}
