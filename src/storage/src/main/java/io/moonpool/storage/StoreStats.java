package io.moonpool.storage;

import io.moonpool.storage.recovery.RecoveryReport;

/**
 * The figures of a store at a moment. Counters start at 0 when it is opened.
 *
 * @param buckets committed buckets
 * @param objects live objects
 * @param usedBytes what the store's files take, damaged ones included
 * @param liveBytes what live values take, in whole blocks
 * @param quotaBytes what it may take
 * @param availableBytes free on the file system; -1 when it cannot be told
 * @param tombstones entries of the tombstone log
 * @param tableBytes heap that the table of locations takes
 * @param readObjects reads that went well
 * @param readBytes bytes that they gave
 * @param readFailures reads that failed, unknown objects not included
 * @param bufferedOpens files that were opened through the page cache since the file system refuses
 *     to go around it
 * @param damagedObjects damages that were reported, repetitions included
 * @param damagedDescriptors descriptors that were not as written
 * @param storedObjects objects that were committed
 * @param storedBytes bytes of their values
 * @param commits buckets that were committed
 * @param abandonedBuckets buckets that were given up after a failure or by the caller
 * @param outOfSpace writes that failed for want of space
 * @param laidTombstones tombstones that were laid
 * @param evictedBuckets buckets that were evicted
 * @param evictedBytes what their files took
 * @param recovered what the last recovery set aside and found
 */
public record StoreStats(
    long buckets,
    long objects,
    long usedBytes,
    long liveBytes,
    long quotaBytes,
    long availableBytes,
    long tombstones,
    long tableBytes,
    long readObjects,
    long readBytes,
    long readFailures,
    long bufferedOpens,
    long damagedObjects,
    long damagedDescriptors,
    long storedObjects,
    long storedBytes,
    long commits,
    long abandonedBuckets,
    long outOfSpace,
    long laidTombstones,
    long evictedBuckets,
    long evictedBytes,
    RecoveryReport recovered) {}
