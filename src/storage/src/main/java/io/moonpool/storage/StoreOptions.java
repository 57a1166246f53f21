package io.moonpool.storage;

/**
 * How a store behaves.
 *
 * @param quotaBytes what it may take; 0 for 90 % of the file system
 * @param reserveBytes what must stay free on the file system, whoever else fills it
 * @param highWatermark the part of the quota above which space is made, 0 to 1
 * @param lowWatermark the part of the quota down to which it is made, below the high one
 * @param order which bucket goes first
 * @param bucketObjects objects after which a bucket is full
 * @param bucketBytes bytes of values after which it is full; a greater value has its own bucket
 * @param lingerMillis how long the first object of a bucket waits for others
 * @param openFiles data files that stay open for reading
 * @param directReads whether reads go around the page cache where they can
 * @param directWrites whether writes do
 */
public record StoreOptions(
    long quotaBytes,
    long reserveBytes,
    double highWatermark,
    double lowWatermark,
    EvictionOrder order,
    int bucketObjects,
    long bucketBytes,
    long lingerMillis,
    int openFiles,
    boolean directReads,
    boolean directWrites) {
  /** What is right for a disk of its own. */
  public static final StoreOptions DEFAULT =
      new StoreOptions(
          0, 256L << 20, 0.90, 0.80, EvictionOrder.FIFO, 500, 256L << 20, 100, 4096, true, true);

  /** Checks the limits. */
  public StoreOptions {
    require(quotaBytes >= 0, "the quota is not negative, 0 means 90 % of the file system");
    require(reserveBytes >= 0, "the reserve is not negative");
    require(highWatermark > 0 && highWatermark <= 1, "the high watermark is above 0 and at most 1");
    require(
        lowWatermark > 0 && lowWatermark < highWatermark,
        "the low watermark is above 0 and below the high one");
    require(bucketObjects >= 1, "a bucket has at least 1 object");
    require(bucketBytes >= 1, "a bucket has at least 1 byte");
    require(lingerMillis >= 0, "the linger time is not negative");
    require(openFiles >= 1, "at least 1 file stays open");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** The same with another quota. */
  public StoreOptions withQuotaBytes(long bytes) {
    Draft draft = new Draft(this);
    draft.quotaBytes = bytes;
    return draft.finish();
  }

  /** The same with another reserve. */
  public StoreOptions withReserveBytes(long bytes) {
    Draft draft = new Draft(this);
    draft.reserveBytes = bytes;
    return draft.finish();
  }

  /** The same with other watermarks. */
  public StoreOptions withWatermarks(double high, double low) {
    Draft draft = new Draft(this);
    draft.highWatermark = high;
    draft.lowWatermark = low;
    return draft.finish();
  }

  /** The same with another order of eviction. */
  public StoreOptions withOrder(EvictionOrder other) {
    Draft draft = new Draft(this);
    draft.order = other;
    return draft.finish();
  }

  /** The same with other limits of a bucket. */
  public StoreOptions withBuckets(int objects, long bytes, long linger) {
    Draft draft = new Draft(this);
    draft.bucketObjects = objects;
    draft.bucketBytes = bytes;
    draft.lingerMillis = linger;
    return draft.finish();
  }

  /** The same with other ways to the disk. */
  public StoreOptions withDirect(boolean reads, boolean writes) {
    Draft draft = new Draft(this);
    draft.directReads = reads;
    draft.directWrites = writes;
    return draft.finish();
  }

  /** The same with another limit of open files. */
  public StoreOptions withOpenFiles(int files) {
    Draft draft = new Draft(this);
    draft.openFiles = files;
    return draft.finish();
  }

  /** A copy that is being changed. */
  private static final class Draft {
    long quotaBytes;
    long reserveBytes;
    double highWatermark;
    double lowWatermark;
    EvictionOrder order;
    int bucketObjects;
    long bucketBytes;
    long lingerMillis;
    int openFiles;
    boolean directReads;
    boolean directWrites;

    Draft(StoreOptions from) {
      quotaBytes = from.quotaBytes;
      reserveBytes = from.reserveBytes;
      highWatermark = from.highWatermark;
      lowWatermark = from.lowWatermark;
      order = from.order;
      bucketObjects = from.bucketObjects;
      bucketBytes = from.bucketBytes;
      lingerMillis = from.lingerMillis;
      openFiles = from.openFiles;
      directReads = from.directReads;
      directWrites = from.directWrites;
    }

    StoreOptions finish() {
      return new StoreOptions(
          quotaBytes,
          reserveBytes,
          highWatermark,
          lowWatermark,
          order,
          bucketObjects,
          bucketBytes,
          lingerMillis,
          openFiles,
          directReads,
          directWrites);
    }
  }
}
