package io.moonpool.node.disk;

import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * The memory that values are read into from disk: lent to peers as a segment that the master does
 * not know. Made and closed on a worker.
 *
 * @param info how peers reach it
 */
record StagingArea(Region region, SegmentInfo info, Transports transports) {
  /** The only generation: the area lives as long as its process, and its id is new each time. */
  private static final long GENERATION = 1;

  /** Allocates and registers. Blocks. */
  static StagingArea open(
      Transports transports, UUID nodeId, String name, String hostId, long bytes) {
    Region region = transports.allocate(bytes);
    UUID id = UUID.randomUUID();
    try {
      List<SegmentEndpoint> endpoints = transports.register(region, id);
      transports.activate(id, GENERATION);
      return new StagingArea(
          region,
          new SegmentInfo(
              SegmentSpec.memory(id, name, bytes, hostId, endpoints),
              nodeId,
              GENERATION,
              SegmentStatus.OK,
              ClientState.ACTIVE,
              0),
          transports);
    } catch (RuntimeException e) {
      region.close();
      throw e;
    }
  }

  /** No peer reads from it any more when this completes; then it may be closed. */
  Future<Void> withdraw() {
    return transports.unregister(info.spec().id());
  }
}
