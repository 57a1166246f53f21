package io.moonpool.storage.recovery;

import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.LocationTable;
import io.moonpool.storage.bucket.TombstoneLog;
import java.util.List;
import java.util.Set;

/**
 * A disk as a store can go on with it.
 *
 * @param buckets in the order of their ids; their numbers are 0 and up
 * @param table where the live objects are
 * @param greatestId the greatest bucket id in any file name, -1 when there is none
 * @param setAside ids of buckets in {@code damaged/}
 * @param tombstones ready to append to
 * @param report for people and metrics
 */
public record Recovered(
    List<Bucket> buckets,
    LocationTable table,
    long greatestId,
    Set<Long> setAside,
    TombstoneLog tombstones,
    RecoveryReport report) {}
