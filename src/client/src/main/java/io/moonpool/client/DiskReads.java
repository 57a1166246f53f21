package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.protocol.call.StageEndpoint;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is on the disks of nodes: asks the node to stage it in memory, fetches it from there,
 * and gives the memory back. Runs on the client's loop.
 *
 * <p>What is staged stays for as long as the node says. A fetch that would take longer fails, so a
 * slow reader never takes what was staged for another one; the checksum is tested all the same.
 */
final class DiskReads {
  private final Vertx vertx;
  private final ClientLoop loop;
  private final Transports transports;
  private final Function<StageEndpoint, FrameClientOptions> options;
  private final Map<StageEndpoint, DiskQueue> nodes = new HashMap<>();

  /**
   * Without connections yet.
   *
   * @param options how a node is connected to
   */
  DiskReads(
      Vertx vertx,
      ClientLoop loop,
      Transports transports,
      Function<StageEndpoint, FrameClientOptions> options) {
    this.vertx = vertx;
    this.loop = loop;
    this.transports = transports;
    this.options = options;
  }

  /**
   * Reads an object or a part of it.
   *
   * @param disk the segment that it is on
   * @param size of the object
   * @param offset bytes from the start of the value
   * @param target is filled
   * @param deadlineNanos {@link System#nanoTime()} at which the object's lease ends
   */
  Future<Void> get(
      PeerSegment disk,
      String tenant,
      String key,
      long version,
      long size,
      long offset,
      MemorySegment target,
      long deadlineNanos) {
    DiskQueue node = node(disk);
    if (node == null) {
      return loop.failed(
          ErrorCode.TRANSFER_FAIL, "the segment does not say how its disk can be read");
    }
    boolean whole = offset == 0 && target.byteSize() == size;
    Promise<Void> done = loop.promise();
    node.add(
        new DiskQueue.Read(
            tenant,
            key,
            version,
            offset,
            whole ? DiskQueue.Read.TO_ITS_END : target.byteSize(),
            target,
            deadlineNanos,
            done));
    return done.future();
  }

  private @Nullable DiskQueue node(PeerSegment disk) {
    for (SegmentEndpoint endpoint : disk.endpoints()) {
      StageEndpoint address = StageEndpoint.of(endpoint);
      if (address != null) {
        return nodes.computeIfAbsent(
            address,
            each ->
                new DiskQueue(loop, transports, FrameClient.create(vertx, options.apply(each))));
      }
    }
    return null;
  }

  /** Closes the connections to nodes. */
  Future<Void> close() {
    List<Future<Void>> closing = new ArrayList<>();
    nodes.values().forEach(node -> closing.add(node.close()));
    nodes.clear();
    return closing.isEmpty() ? Future.succeededFuture() : Future.join(closing).mapEmpty();
  }
}
