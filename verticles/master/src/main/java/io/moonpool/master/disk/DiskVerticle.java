package io.moonpool.master.disk;

import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.metadata.DiskProxy;
import io.moonpool.master.metadata.SegmentSubscriber;
import io.moonpool.master.metadata.WorkRequest;
import io.moonpool.master.segment.DiskNumbers;
import io.moonpool.master.segment.NodeAdmission;
import io.moonpool.master.segment.SegmentHolder;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.protocol.call.MemoryOnly;
import io.moonpool.protocol.call.OffloadSegment;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.TakeDiskWork;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers nodes about their disks. Nobody polls: a node's call for work waits here until a metadata
 * loop says that there is some.
 *
 * <p>Must be deployed on the control loop, which the segments and the liveness of nodes belong to:
 * a call of an incarnation or a mount that has ended is refused here.
 */
public final class DiskVerticle extends VerticleBase {
  private static final long MAX_WAIT_MILLIS = 60_000;

  private final MasterConfig config;
  private final SegmentRegistry registry;
  private final SegmentSubscriber segments;
  private final NodeAdmission nodes;
  private final DiskProxy metadata;
  private final DiskNumbers numbers;
  private final SegmentHolder holder;

  /** The calls for work that are under way, by generation of the disk. */
  private final Map<Long, Waiter> waiters = new HashMap<>();

  /** A node's call for work. */
  private final class Waiter {
    final SegmentMount disk;
    final WorkRequest request;
    final Promise<DiskWork> answer = Promise.promise();
    final long timer;
    final long arrivedNanos = System.nanoTime();

    /** Metadata loops are being asked. */
    boolean asking;

    /** There may be more than what they answered. */
    boolean again;

    boolean timeOver;

    Waiter(SegmentMount disk, WorkRequest request, long waitMillis) {
      this.disk = disk;
      this.request = request;
      this.timer = waitMillis > 0 ? vertx.setTimer(waitMillis, over -> end()) : -1;
      this.timeOver = waitMillis <= 0;
    }

    void ask() {
      if (asking) {
        again = true;
        return;
      }
      asking = true;
      again = false;
      // Before anything is handed out: what it may take begins at that time or later.
      long waitedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - arrivedNanos);
      metadata
          .take(disk, request)
          .map(work -> work.after(waitedMillis))
          .onComplete(taken -> took(taken.result()));
    }

    private void took(@Nullable DiskWork work) {
      asking = false;
      if (work != null && !work.isEmpty()) {
        answer(work);
      } else if (timeOver) {
        answer(DiskWork.NONE);
      } else if (again) {
        ask();
      }
    }

    /** No more waiting. What the loops are handing out just now is not lost. */
    void end() {
      timeOver = true;
      if (!asking) {
        answer(DiskWork.NONE);
      }
    }

    private void answer(DiskWork work) {
      waiters.remove(disk.generation(), this);
      vertx.cancelTimer(timer);
      answer.tryComplete(work);
    }
  }

  /**
   * A verticle.
   *
   * @param segments follows changes of disks
   * @param numbers is told when a disk is known completely
   * @param holder is told so, too
   */
  public DiskVerticle(
      MasterConfig config,
      SegmentRegistry registry,
      SegmentSubscriber segments,
      NodeAdmission nodes,
      DiskProxy metadata,
      DiskNumbers numbers,
      SegmentHolder holder) {
    this.config = config;
    this.registry = registry;
    this.segments = segments;
    this.nodes = nodes;
    this.metadata = metadata;
    this.numbers = numbers;
    this.holder = holder;
  }

  /** There is work for a disk. */
  void workFor(SegmentMount disk) {
    Waiter waiter = waiters.get(disk.generation());
    if (waiter != null) {
      waiter.ask();
    }
  }

  /** As {@link #with}, for a batch of items, of which there must not be too many. */
  private <T> Future<T> withBatch(
      UUID nodeId,
      long incarnation,
      long generation,
      List<?> items,
      Function<SegmentMount, Future<T>> body) {
    return items.size() <= config.maxBatchKeys()
        ? with(nodeId, incarnation, generation, body)
        : Future.failedFuture(
            new StoreException(
                ErrorCode.INVALID_PARAMS,
                "there are "
                    + items.size()
                    + " items: send at most "
                    + config.maxBatchKeys()
                    + " (max_batch_keys) in a call"));
  }

  private <T> Future<T> with(
      UUID nodeId, long incarnation, long generation, Function<SegmentMount, Future<T>> body) {
    return withSegment(
        nodeId,
        incarnation,
        generation,
        SegmentKind.LOCAL_DISK,
        disk -> body.apply(registry.mountOf(generation)));
  }

  private <T> Future<T> withSegment(
      UUID nodeId,
      long incarnation,
      long generation,
      SegmentKind kind,
      Function<SegmentInfo, Future<T>> body) {
    return nodes.admitted(nodeId, incarnation, () -> onSegment(nodeId, generation, kind, body));
  }

  private <T> Future<T> onSegment(
      UUID nodeId, long generation, SegmentKind kind, Function<SegmentInfo, Future<T>> body) {
    Optional<SegmentInfo> segment = registry.find(generation);
    if (segment.isEmpty()
        || !segment.get().nodeId().equals(nodeId)
        || segment.get().spec().kind() != kind) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.SEGMENT_NOT_FOUND,
              "no segment of that kind is mounted with that generation: mount it again"));
    }
    return body.apply(segment.get());
  }

  Future<List<Outcome<Void>>> report(ReportDiskObjects request) {
    return withBatch(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        request.objects(),
        disk ->
            metadata
                .report(disk, request.objects())
                .compose(
                    outcomes ->
                        request.last()
                            ? completeScan(disk).map(outcomes)
                            : Future.succeededFuture(outcomes)));
  }

  private Future<Void> completeScan(SegmentMount disk) {
    return metadata
        .completeScan(disk)
        .compose(
            done -> {
              boolean mounted =
                  registry
                      .find(disk.generation())
                      .filter(segment -> segment.status() != SegmentStatus.UNMOUNTING)
                      .isPresent();
              return mounted
                  ? numbers
                      .scanned(registry.disk(disk.generation()))
                      .onSuccess(known -> scanned(disk.generation()))
                  : Future.failedFuture(new StoreException(ErrorCode.SEGMENT_NOT_FOUND));
            });
  }

  private void scanned(long generation) {
    registry.scanned(generation);
    registry.find(generation).ifPresent(holder::scanned);
  }

  Future<DiskWork> take(TakeDiskWork request) {
    if (request.maxTasks() < 1 || request.maxPromotions() < 0 || request.waitMillis() < 0) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS,
              "ask for at least 1 task and 0 promotions, and wait for 0 ms or more"));
    }
    return with(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        disk -> {
          List<SegmentChange> changes =
              registry.diskChanged(disk.generation(), request.usedBytes(), request.accepting());
          if (!changes.isEmpty()) {
            segments.apply(changes);
          }
          Waiter before = waiters.remove(disk.generation());
          if (before != null) {
            before.end();
          }
          Waiter waiter =
              new Waiter(
                  disk,
                  new WorkRequest(
                      Math.min(request.maxTasks(), config.maxBatchKeys()),
                      Math.min(request.maxPromotions(), config.promotion().maxPerTake()),
                      place(request.nodeId())),
                  Math.min(request.waitMillis(), MAX_WAIT_MILLIS));
          waiters.put(disk.generation(), waiter);
          waiter.ask();
          return waiter.answer.future();
        });
  }

  /** The node's own memory first. */
  private ReplicateConfig place(UUID nodeId) {
    return config.promotion().onHit()
        ? ReplicateConfig.DEFAULT.withPreferredSegments(registry.memoryNamesOf(nodeId))
        : ReplicateConfig.DEFAULT;
  }

  Future<List<Outcome<Void>>> settle(SettlePromotions request) {
    return withBatch(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        request.promotions(),
        disk -> metadata.settlePromotions(disk, request.promotions()));
  }

  Future<List<Outcome<Void>>> settle(SettleOffloads request) {
    return withBatch(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        request.offloads(),
        disk -> metadata.settle(disk, request.offloads()));
  }

  Future<List<Outcome<Void>>> drop(DropDiskObjects request) {
    return withBatch(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        request.records(),
        disk -> metadata.drop(disk, request.records()));
  }

  Future<MemoryOnly> offload(OffloadSegment request) {
    return withSegment(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        SegmentKind.MEMORY,
        segment ->
            segment.status() == SegmentStatus.OK
                ? Future.failedFuture(
                    new StoreException(
                        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
                        "segment "
                            + segment.spec().name()
                            + " takes new objects: unmount it with a grace period first"))
                : metadata.offloadSegment(registry.mountOf(request.generation())));
  }

  Future<Void> acknowledge(AckTombstones request) {
    return withBatch(
        request.nodeId(),
        request.incarnation(),
        request.generation(),
        request.records(),
        disk -> metadata.acknowledge(disk, request.records()));
  }
}
