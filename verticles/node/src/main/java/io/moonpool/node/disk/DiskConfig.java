package io.moonpool.node.disk;

import io.moonpool.model.config.ByteSizes;
import io.moonpool.model.config.Setting;
import java.nio.file.Path;

/**
 * What can be configured about a node's disk tier; its settings begin with {@code disk_}.
 *
 * @see io.moonpool.node.NodeConfig#disk()
 */
public record DiskConfig(
    @Setting("Directory on an SSD that the node lends; empty: none. One process at a time.")
        String dir,
    @Setting("Most bytes to use there; 0: 90 % of its file system.") long quotaBytes,
    @Setting("Which objects leave a full disk first: fifo (the oldest) or lru.")
        String evictionPolicy,
    @Setting("Share of the quota above which objects are evicted from disk.") double highWatermark,
    @Setting("Share of the quota down to which they are.") double lowWatermark,
    @Setting("Most objects in one bucket, the unit of writing and evicting.") int bucketKeys,
    @Setting("Most bytes of values in one bucket; a larger object has one of its own.")
        long bucketBytes,
    @Setting("How long a bucket waits for more objects before it is written.")
        long bucketLingerMillis,
    @Setting("Memory that objects are read into for those who ask for them.") long stagingBytes,
    @Setting("How long an object that was read stays there, at most.") long stagingLeaseMillis,
    @Setting("Port at which others ask for what is on the disk; 0: any free port.") int port,
    @Setting("Threads that read and write the disk.") int threads,
    @Setting("Reads and writes that may wait for a thread; more are refused.") int queueLimit,
    @Setting("How long a node that is told to stop may write what is in memory only.")
        long shutdownMillis) {

  /** Without a directory: no disk tier. */
  public static final DiskConfig NONE =
      new DiskConfig(
          "", 0, "fifo", 0.90, 0.80, 500, 256L << 20, 100, 256L << 20, 5_000, 0, 4, 1_024, 30_000);

  private static final long MIN_STAGING_BYTES = 8L << 20;

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public DiskConfig {
    check(quotaBytes >= 0, "quota_bytes", "0 or more", quotaBytes);
    check(
        evictionPolicy.equals("fifo") || evictionPolicy.equals("lru"),
        "eviction_policy",
        "fifo or lru",
        evictionPolicy);
    check(
        highWatermark > 0 && highWatermark <= 1,
        "high_watermark",
        "above 0, up to 1",
        highWatermark);
    check(
        lowWatermark > 0 && lowWatermark < highWatermark,
        "low_watermark",
        "above 0 and below disk_high_watermark (" + highWatermark + ")",
        lowWatermark);
    check(bucketKeys >= 1 && bucketKeys <= 100_000, "bucket_keys", "1 to 100000", bucketKeys);
    check(
        bucketBytes >= 1L << 20 && bucketBytes <= 1L << 34,
        "bucket_bytes",
        "1MiB to 16GiB",
        ByteSizes.format(bucketBytes));
    check(
        bucketLingerMillis >= 0 && bucketLingerMillis <= 60_000,
        "bucket_linger_ms",
        "0 to 60000",
        bucketLingerMillis);
    check(
        stagingBytes >= MIN_STAGING_BYTES,
        "staging_bytes",
        "at least " + ByteSizes.format(MIN_STAGING_BYTES),
        ByteSizes.format(stagingBytes));
    check(
        stagingLeaseMillis >= 100 && stagingLeaseMillis <= 600_000,
        "staging_lease_ms",
        "100 to 600000",
        stagingLeaseMillis);
    check(port >= 0 && port <= 65_535, "port", "0 to 65535", port);
    check(threads >= 1 && threads <= 256, "threads", "1 to 256", threads);
    check(queueLimit >= 1, "queue_limit", "at least 1", queueLimit);
    check(shutdownMillis >= 0, "shutdown_ms", "0 or more", shutdownMillis);
  }

  private static void check(boolean holds, String name, String expected, Object was) {
    if (!holds) {
      throw new IllegalArgumentException(
          "disk_" + name + " must be " + expected + ", but is '" + was + "'");
    }
  }

  /** The defaults with that directory. */
  public static DiskConfig in(Path directory) {
    return new DiskConfig(
        directory.toString(),
        NONE.quotaBytes,
        NONE.evictionPolicy,
        NONE.highWatermark,
        NONE.lowWatermark,
        NONE.bucketKeys,
        NONE.bucketBytes,
        NONE.bucketLingerMillis,
        NONE.stagingBytes,
        NONE.stagingLeaseMillis,
        NONE.port,
        NONE.threads,
        NONE.queueLimit,
        NONE.shutdownMillis);
  }

  /** True when the node lends a disk. */
  public boolean enabled() {
    return !dir.isEmpty();
  }
}
