package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.NodeCalls;
import io.moonpool.protocol.call.ReleaseStaged;
import io.moonpool.protocol.call.StageEndpoint;
import io.moonpool.protocol.call.StageObjects;
import io.moonpool.protocol.call.StagedObjects;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private final Map<StageEndpoint, FrameClient> nodes = new HashMap<>();

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
   * Reads a part of an object.
   *
   * @param disk the segment that it is on
   * @param offset bytes from the start of the value
   * @param target is filled
   * @param deadlineNanos {@link System#nanoTime()} at which the object's lease ends
   */
  Future<Void> get(
      PeerSegment disk,
      String tenant,
      String key,
      long version,
      long offset,
      MemorySegment target,
      long deadlineNanos) {
    FrameClient node = node(disk);
    if (node == null) {
      return loop.failed(
          ErrorCode.TRANSFER_FAIL, "the segment does not say how its disk can be read");
    }
    long askedNanos = System.nanoTime();
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - askedNanos);
    if (leftMillis <= 0) {
      return loop.failed(ErrorCode.LEASE_EXPIRED, "the lease ended before the disk was asked");
    }
    StageObjects request =
        new StageObjects(tenant, KeyBatch.of(key), new long[] {version}, offset, target.byteSize());
    return node.call(NodeCalls.STAGE, request, leftMillis)
        .compose(
            staged ->
                fetch(staged, target, deadlineNanos, askedNanos)
                    .onComplete(
                        done -> node.call(NodeCalls.RELEASE, new ReleaseStaged(staged.batchId()))));
  }

  private @Nullable FrameClient node(PeerSegment disk) {
    for (SegmentEndpoint endpoint : disk.endpoints()) {
      StageEndpoint address = StageEndpoint.of(endpoint);
      if (address != null) {
        return nodes.computeIfAbsent(
            address, each -> FrameClient.create(vertx, options.apply(each)));
      }
    }
    return null;
  }

  private Future<Void> fetch(
      StagedObjects staged, MemorySegment target, long deadlineNanos, long askedNanos) {
    if (staged.offsets().size() != 1) {
      return loop.failed(
          ErrorCode.RPC_FAIL,
          "the node staged " + staged.offsets().size() + " values instead of 1: check its version");
    }
    Outcome<Long> offset = staged.offsets().getFirst();
    if (!offset.ok()) {
      return Future.failedFuture(new StoreException(offset.code()));
    }
    // The lease runs from the answer on; counting from the question errs on the safe side.
    long stagedUntilNanos = askedNanos + TimeUnit.MILLISECONDS.toNanos(staged.leaseMillis());
    long untilNanos = stagedUntilNanos - deadlineNanos < 0 ? stagedUntilNanos : deadlineNanos;
    return transports.get(target, PeerSegment.of(staged.memory()), offset.get(), untilNanos);
  }

  /** Closes the connections to nodes. */
  Future<Void> close() {
    List<Future<Void>> closing = new ArrayList<>();
    nodes.values().forEach(node -> closing.add(node.close()));
    nodes.clear();
    return closing.isEmpty() ? Future.succeededFuture() : Future.join(closing).mapEmpty();
  }
}
