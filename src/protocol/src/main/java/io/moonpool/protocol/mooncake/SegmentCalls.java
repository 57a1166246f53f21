package io.moonpool.protocol.mooncake;

import static io.moonpool.protocol.mooncake.MooncakeCalls.bare;
import static io.moonpool.protocol.mooncake.MooncakeCalls.one;
import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.flag;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The calls about segments, clients and the master itself. */
public final class SegmentCalls {
  private static final Codec<SegmentMessages.Unmount> UNMOUNT =
      struct(
          uuid(SegmentMessages.Unmount::segment),
          uuid(SegmentMessages.Unmount::client),
          SegmentMessages.Unmount::new);

  /** Tells on which hosts clients are. */
  public static final Call<List<UUID>, Map<UUID, List<String>>> BATCH_QUERY_IP =
      one(
          "BatchQueryIp",
          Containers.list(Scalars.ID),
          Containers.map(Scalars.ID, Containers.list(Containers.TEXT)));

  /** Lends a segment. */
  public static final Call<SegmentMessages.Mount, Void> MOUNT_SEGMENT =
      one(
          "MountSegment",
          struct(
              field(MooncakeTypes.SEGMENT, SegmentMessages.Mount::segment),
              uuid(SegmentMessages.Mount::client),
              SegmentMessages.Mount::new),
          Scalars.UNIT);

  /** Lends segments again. */
  public static final Call<SegmentMessages.ReMount, Void> RE_MOUNT_SEGMENT =
      one(
          "ReMountSegment",
          struct(
              field(Containers.list(MooncakeTypes.SEGMENT), SegmentMessages.ReMount::segments),
              uuid(SegmentMessages.ReMount::client),
              SegmentMessages.ReMount::new),
          Scalars.UNIT);

  /** Takes a segment back. */
  public static final Call<SegmentMessages.Unmount, Void> UNMOUNT_SEGMENT =
      one("UnmountSegment", UNMOUNT, Scalars.UNIT);

  /** Takes a segment back after some time. */
  public static final Call<SegmentMessages.GracefulUnmount, Void> GRACEFUL_UNMOUNT_SEGMENT =
      one(
          "GracefulUnmountSegment",
          struct(
              uuid(SegmentMessages.GracefulUnmount::segment),
              uuid(SegmentMessages.GracefulUnmount::client),
              u64(SegmentMessages.GracefulUnmount::graceMillis),
              SegmentMessages.GracefulUnmount::new),
          Scalars.UNIT);

  /** Lends a remote NVMe namespace. */
  public static final Call<SegmentMessages.MountNof, Void> MOUNT_NOF_SEGMENT =
      one(
          "MountNoFSegment",
          struct(
              field(MooncakeTypes.NOF_SEGMENT, SegmentMessages.MountNof::segment),
              uuid(SegmentMessages.MountNof::client),
              SegmentMessages.MountNof::new),
          Scalars.UNIT);

  /** Lends remote NVMe namespaces again. */
  public static final Call<SegmentMessages.ReMountNof, Void> RE_MOUNT_NOF_SEGMENT =
      one(
          "ReMountNoFSegment",
          struct(
              field(
                  Containers.list(MooncakeTypes.NOF_SEGMENT), SegmentMessages.ReMountNof::segments),
              uuid(SegmentMessages.ReMountNof::client),
              SegmentMessages.ReMountNof::new),
          Scalars.UNIT);

  /** Takes a remote NVMe namespace back. */
  public static final Call<SegmentMessages.Unmount, Void> UNMOUNT_NOF_SEGMENT =
      one("UnmountNoFSegment", UNMOUNT, Scalars.UNIT);

  /** Lists remote NVMe namespaces. */
  public static final Call<NoArguments, List<SegmentMessages.NofSegment>> GET_ALL_NOF_SEGMENTS =
      bare("GetAllNoFSegments", Containers.list(MooncakeTypes.NOF_SEGMENT));

  /** Tells whose the remote NVMe namespaces of a name are. */
  public static final Call<String, List<SegmentMessages.NofOwner>> GET_NOF_SEGMENTS_BY_NAME =
      one("GetNoFSegmentsByName", Containers.TEXT, Containers.list(MooncakeTypes.NOF_OWNER));

  /** Says that a client lives. */
  public static final Call<UUID, SegmentMessages.PingAnswer> PING =
      one(
          "Ping",
          Scalars.ID,
          struct(
              i64(SegmentMessages.PingAnswer::viewVersion),
              i32(SegmentMessages.PingAnswer::status),
              SegmentMessages.PingAnswer::new));

  /** Tells the directory of a shared file system. */
  public static final Call<NoArguments, String> GET_FSDIR = bare("GetFsdir", Containers.TEXT);

  /** Tells how the segment of a name is. */
  public static final Call<String, Integer> QUERY_SEGMENT_STATUS =
      one("QuerySegmentStatus", Containers.TEXT, Scalars.I32);

  /** Tells how a segment is. */
  public static final Call<UUID, Integer> QUERY_SEGMENT_STATUS_BY_ID =
      one("QuerySegmentStatusById", Scalars.ID, Scalars.I32);

  /** Tells how clients store objects in a shared file system. */
  public static final Call<NoArguments, SegmentMessages.StorageConfig> GET_STORAGE_CONFIG =
      bare(
          "GetStorageConfig",
          struct(
              text(SegmentMessages.StorageConfig::directory),
              flag(SegmentMessages.StorageConfig::evicts),
              u64(SegmentMessages.StorageConfig::quotaBytes),
              SegmentMessages.StorageConfig::new));

  /** Tells the version of the service. */
  public static final Call<NoArguments, String> SERVICE_READY =
      bare("ServiceReady", Containers.TEXT);

  private static final List<Call<?, ?>> ALL =
      List.of(
          BATCH_QUERY_IP,
          MOUNT_SEGMENT,
          RE_MOUNT_SEGMENT,
          UNMOUNT_SEGMENT,
          GRACEFUL_UNMOUNT_SEGMENT,
          MOUNT_NOF_SEGMENT,
          RE_MOUNT_NOF_SEGMENT,
          UNMOUNT_NOF_SEGMENT,
          GET_ALL_NOF_SEGMENTS,
          GET_NOF_SEGMENTS_BY_NAME,
          PING,
          GET_FSDIR,
          QUERY_SEGMENT_STATUS,
          QUERY_SEGMENT_STATUS_BY_ID,
          GET_STORAGE_CONFIG,
          SERVICE_READY);

  private SegmentCalls() {}

  /** All of them. */
  static List<Call<?, ?>> all() {
    return ALL;
  }
}
