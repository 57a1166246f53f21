package io.moonpool.gateway.segment;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where Mooncake's clients take requests to load what is on their disks. A client tells it with
 * each object that it has stored, not when it registers its disk. Any loop.
 */
public final class DiskEndpoints {
  /**
   * A client's disk.
   *
   * @param endpoint where requests to load go
   */
  public record Disk(UUID client, String endpoint) {}

  private final Map<Long, Disk> disks = new ConcurrentHashMap<>();

  /** Knows no disk yet. */
  public DiskEndpoints() {}

  /** What is known of the disk of a mount; null for disks of Moonpool's nodes. */
  public @Nullable Disk find(long generation) {
    return disks.get(generation);
  }

  /** A client has told where requests for its disk go. */
  public void told(long generation, Disk disk) {
    disks.put(generation, disk);
  }

  /** A mount is gone. */
  public void forget(long generation) {
    disks.remove(generation);
  }
}
