package io.moonpool.master.bus;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.request.ClusterSummary;
import io.moonpool.master.request.Limits;
import io.moonpool.master.request.SegmentUnmount;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.json.Fields;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.UUID;

/** The requests about segments, clients and the pool as a whole. */
final class BusPool {
  private final MasterOperations master;
  private final MasterStats stats;
  private final SegmentUnmount unmount;

  BusPool(MasterOperations master, MasterStats stats, SegmentUnmount unmount) {
    this.master = master;
    this.stats = stats;
    this.unmount = unmount;
  }

  Future<JsonObject> listSegments(Fields request) {
    long[] generations = request.identifiers("generations");
    request.end();
    return master
        .describeSegments(new DescribeSegments(generations))
        .map(
            segments ->
                new JsonObject().put("segments", JsonForms.array(segments, JsonForms::segment)));
  }

  Future<JsonObject> unmountSegment(Fields request) {
    UUID id = request.uuid("segment_id");
    long graceMillis = request.number("grace_ms", 0, 0, Limits.MAX_GRACE_MILLIS);
    request.end();
    return unmount
        .start(id, graceMillis)
        .map(complete -> new JsonObject().put("complete", complete));
  }

  Future<JsonObject> listClients(Fields request) {
    request.end();
    return master
        .clients()
        .map(
            clients ->
                new JsonObject().put("clients", JsonForms.array(clients, JsonForms::client)));
  }

  Future<JsonObject> summary(Fields request) {
    request.end();
    return ClusterSummary.ask(master, stats).map(ClusterSummary::toJson);
  }
}
