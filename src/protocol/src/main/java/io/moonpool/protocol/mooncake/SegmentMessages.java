package io.moonpool.protocol.mooncake;

import java.util.List;
import java.util.UUID;

/** Arguments and answers of the calls about segments and about clients. */
public final class SegmentMessages {
  private SegmentMessages() {}

  /**
   * Memory that a client lends.
   *
   * @param name need not be unique
   * @param base address of its first byte in the client's address space
   * @param size bytes
   * @param endpoint where the client is reached for transfers; empty when the name says it
   * @param protocol of the transfer; empty for {@code tcp}
   * @param hostId the physical host; empty when unknown
   */
  public record Segment(
      UUID id,
      String name,
      long base,
      long size,
      String endpoint,
      String protocol,
      String hostId) {}

  /** A remote NVMe namespace. */
  public record NofSegment(UUID id, String name, long base, long size, String endpoint) {}

  /** Whose a remote NVMe namespace is. */
  public record NofOwner(UUID segment, UUID client) {}

  /** Lends a segment. */
  public record Mount(Segment segment, UUID client) {}

  /** Lends segments again, after the master has asked for it. */
  public record ReMount(List<Segment> segments, UUID client) {}

  /** Lends a remote NVMe namespace. */
  public record MountNof(NofSegment segment, UUID client) {}

  /** Lends remote NVMe namespaces again. */
  public record ReMountNof(List<NofSegment> segments, UUID client) {}

  /** Takes a segment back. */
  public record Unmount(UUID segment, UUID client) {}

  /** Takes a segment back after some time. */
  public record GracefulUnmount(UUID segment, UUID client, long graceMillis) {}

  /**
   * The answer to a ping.
   *
   * @param viewVersion of a group of masters; 0 when there is only one
   * @param status {@link #OK} or {@link #NEED_REMOUNT}
   */
  public record PingAnswer(long viewVersion, int status) {
    /** There is nothing to do. */
    public static final int OK = 1;

    /** The client shall mount its segments again. */
    public static final int NEED_REMOUNT = 2;
  }

  /**
   * How clients store objects in a shared file system.
   *
   * @param directory empty when there is none
   */
  public record StorageConfig(String directory, boolean evicts, long quotaBytes) {}
}
