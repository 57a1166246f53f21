package io.moonpool.bench.master;

import java.util.List;
import java.util.Set;

/**
 * What to measure.
 *
 * @param keys that are put before calls are measured
 * @param clients that call at the same time, each one call after the other
 * @param batch keys of a call with many
 * @param seconds that each kind of call is measured
 * @param overfillPuts objects that are put into a pool for half as many
 * @param evictKeys objects of which half are evicted
 * @param touched replicas of a segment that is unmounted, remounted, drained
 * @param poolKeys among how many keys these are, one run for each
 * @param protocol of the calls, but for those through gRPC
 * @param groups what is measured
 */
public record MasterSettings(
    long keys,
    int clients,
    int batch,
    int seconds,
    long overfillPuts,
    long evictKeys,
    int touched,
    List<Long> poolKeys,
    CallProtocol protocol,
    Set<RowGroup> groups) {
  /** Copies the collections. */
  public MasterSettings {
    poolKeys = List.copyOf(poolKeys);
    groups = Set.copyOf(groups);
  }
}
