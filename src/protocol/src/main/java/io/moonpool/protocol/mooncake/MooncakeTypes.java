package io.moonpool.protocol.mooncake;

import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.flag;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Choices.Alternative;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;

/** How the types that several messages have in common are serialised. */
final class MooncakeTypes {
  private static final Codec<Place.Memory> MEMORY =
      struct(
          field(
              struct(
                  u64(Place.Memory::size),
                  u64(Place.Memory::address),
                  text(Place.Memory::protocol),
                  text(Place.Memory::endpoint),
                  Place.Memory::new),
              memory -> memory),
          memory -> memory);

  private static final Codec<Place.Nof> NOF =
      struct(
          field(
              struct(
                  u64(Place.Nof::size),
                  u64(Place.Nof::address),
                  text(Place.Nof::protocol),
                  text(Place.Nof::endpoint),
                  Place.Nof::new),
              nof -> nof),
          nof -> nof);

  private static final Codec<Place.Disk> DISK =
      struct(text(Place.Disk::path), u64(Place.Disk::size), Place.Disk::new);

  private static final Codec<Place.LocalDisk> LOCAL_DISK =
      struct(
          uuid(Place.LocalDisk::client),
          u64(Place.LocalDisk::size),
          text(Place.LocalDisk::endpoint),
          Place.LocalDisk::new);

  private static final Codec<Place.Dfs> DFS =
      struct(
          text(Place.Dfs::path),
          u64(Place.Dfs::offset),
          u64(Place.Dfs::size),
          u64(Place.Dfs::alignedSize),
          i32(Place.Dfs::shard),
          Place.Dfs::new);

  private static final Codec<Place> PLACE =
      Choices.variant(
          new Alternative<>(Place.Memory.class, MEMORY),
          new Alternative<>(Place.Nof.class, NOF),
          new Alternative<>(Place.Disk.class, DISK),
          new Alternative<>(Place.LocalDisk.class, LOCAL_DISK),
          new Alternative<>(Place.Dfs.class, DFS));

  static final Codec<Replica> REPLICA =
      struct(u64(Replica::id), field(PLACE, Replica::place), i32(Replica::status), Replica::new);

  static final Codec<ReplicaList> REPLICA_LIST =
      struct(
          field(Containers.list(REPLICA), ReplicaList::replicas),
          u64(ReplicaList::leaseMillis),
          field(Choices.optional(Scalars.U64), ReplicaList::checksum),
          ReplicaList::new);

  static final Codec<WriteConfig> WRITE_CONFIG =
      struct(
          u64(WriteConfig::memoryReplicas),
          u64(WriteConfig::nofReplicas),
          u64(WriteConfig::dfsReplicas),
          field(Scalars.U8, WriteConfig::softPinAction),
          field(Choices.optional(Scalars.U64), WriteConfig::softPinTtlMillis),
          flag(WriteConfig::hardPin),
          field(Containers.list(Containers.TEXT), WriteConfig::preferredSegments),
          text(WriteConfig::preferredSegment),
          field(Containers.list(Containers.TEXT), WriteConfig::preferredNofSegments),
          flag(WriteConfig::sameNode),
          field(Scalars.U8, WriteConfig::dataType),
          text(WriteConfig::hostId),
          field(Choices.optional(Containers.list(Containers.TEXT)), WriteConfig::groupIds),
          WriteConfig::new);

  static final Codec<ObjectMessages.Written> WRITTEN =
      struct(
          field(Containers.BYTES, ObjectMessages.Written::key),
          field(Choices.optional(Scalars.U64), ObjectMessages.Written::checksum),
          ObjectMessages.Written::new);

  static final Codec<SegmentMessages.Segment> SEGMENT =
      struct(
          uuid(SegmentMessages.Segment::id),
          text(SegmentMessages.Segment::name),
          u64(SegmentMessages.Segment::base),
          u64(SegmentMessages.Segment::size),
          text(SegmentMessages.Segment::endpoint),
          text(SegmentMessages.Segment::protocol),
          text(SegmentMessages.Segment::hostId),
          SegmentMessages.Segment::new);

  static final Codec<SegmentMessages.NofSegment> NOF_SEGMENT =
      struct(
          uuid(SegmentMessages.NofSegment::id),
          text(SegmentMessages.NofSegment::name),
          u64(SegmentMessages.NofSegment::base),
          u64(SegmentMessages.NofSegment::size),
          text(SegmentMessages.NofSegment::endpoint),
          SegmentMessages.NofSegment::new);

  static final Codec<SegmentMessages.NofOwner> NOF_OWNER =
      struct(
          uuid(SegmentMessages.NofOwner::segment),
          uuid(SegmentMessages.NofOwner::client),
          SegmentMessages.NofOwner::new);

  static final Codec<DiskMessages.ObjectTask> OBJECT_TASK =
      struct(
          text(DiskMessages.ObjectTask::tenant),
          field(Containers.BYTES, DiskMessages.ObjectTask::key),
          i64(DiskMessages.ObjectTask::size),
          DiskMessages.ObjectTask::new);

  static final Codec<DiskMessages.StoredAt> STORED_AT =
      struct(
          i64(DiskMessages.StoredAt::bucket),
          i64(DiskMessages.StoredAt::offset),
          i64(DiskMessages.StoredAt::keySize),
          i64(DiskMessages.StoredAt::dataSize),
          text(DiskMessages.StoredAt::endpoint),
          DiskMessages.StoredAt::new);

  private MooncakeTypes() {}
}
