package io.moonpool.master.request;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.Hello;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * The pool as a whole.
 *
 * @param version of the master's program
 * @param masterEpoch new at each start of the master
 * @param capacityBytes of all segments
 * @param usedBytes allocated, quarantined extents included
 * @param objects unfinished writes included
 * @param clients registered nodes in any state
 */
public record ClusterSummary(
    String clusterId,
    String version,
    long masterEpoch,
    long capacityBytes,
    long usedBytes,
    long objects,
    int segments,
    int clients) {
  private static final long[] ALL = {};

  /** Asks the master. */
  public static Future<ClusterSummary> ask(MasterOperations master, MasterStats stats) {
    return master
        .hello(new Hello(Hello.VERSION, "summary"))
        .compose(
            hello ->
                master
                    .describeSegments(new DescribeSegments(ALL))
                    .map(
                        segments -> {
                          MasterStats.Snapshot figures = stats.snapshot();
                          return new ClusterSummary(
                              hello.clusterId(),
                              hello.serverVersion(),
                              hello.masterEpoch(),
                              figures.memoryCapacityBytes(),
                              figures.memoryUsedBytes(),
                              figures.objects(),
                              segments.size(),
                              figures.clients().values().stream()
                                  .mapToInt(Integer::intValue)
                                  .sum());
                        }));
  }

  /** As JSON, the same over REST and the event bus. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("cluster_id", clusterId)
        .put("version", version)
        .put("master_epoch", Long.toString(masterEpoch))
        .put("capacity", capacityBytes)
        .put("used", usedBytes)
        .put("objects", objects)
        .put("segments", segments)
        .put("clients", clients);
  }
}
