package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.node.line.MasterLine;
import io.moonpool.node.line.TargetSegments;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings objects from the disk back into memory: reads each value into staging memory, checked and
 * a piece at a time, and writes it from there to where the master reserved space, on this node or
 * on another.
 *
 * <p>Nothing is written after a task's grant has ended: the transports see to that. Belongs to an
 * event loop.
 */
final class Promoter {
  private static final Logger LOG = LoggerFactory.getLogger(Promoter.class);

  /** How many objects are brought back at a time. */
  private static final int AT_ONCE = 16;

  private final ValueFeed values;
  private final Transports transports;
  private final TargetSegments targets;
  private final Function<SettledPromotion, Future<Void>> settle;
  private final DiskStats stats;
  private final List<Promise<Void>> idle = new ArrayList<>();
  private int running;
  private boolean stopped;

  /**
   * A promoter.
   *
   * @param values what is on the disk
   * @param settle tells the master how one has ended
   */
  Promoter(
      ValueFeed values,
      Transports transports,
      TargetSegments targets,
      Function<SettledPromotion, Future<Void>> settle,
      DiskStats stats) {
    this.values = values;
    this.transports = transports;
    this.targets = targets;
    this.settle = settle;
    this.stats = stats;
  }

  /** How many more objects it can bring back now. */
  int free() {
    return Math.max(0, AT_ONCE - running);
  }

  /**
   * Brings objects back; each is settled when it has ended.
   *
   * @param work what the master granted
   */
  void start(MasterLine.Granted<DiskWork> work) {
    for (PromotionTask task : work.answer().promotions()) {
      running++;
      long untilNanos = work.untilNanos(task.grantMillis());
      targets
          .find(task.target().generation())
          .compose(target -> write(task, target, untilNanos))
          .map(done -> written(task))
          .otherwise(failure -> failed(task, failure))
          .compose(settle)
          .onComplete(settled -> ended());
    }
  }

  private Future<Void> write(PromotionTask task, PeerSegment target, long untilNanos) {
    DiskObject object = task.object();
    return values.read(
        object.version(),
        object.size(),
        untilNanos,
        (piece, offset) -> put(piece, target, task.target().offset() + offset, untilNanos));
  }

  private Future<Void> put(MemorySegment piece, PeerSegment target, long offset, long untilNanos) {
    return stopped
        ? Future.failedFuture(
            new StoreException(
                ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "the mount of the disk has ended"))
        : transports.put(piece, target, offset, untilNanos);
  }

  private SettledPromotion written(PromotionTask task) {
    stats.promoted.increment();
    stats.promotedBytes.add(task.object().size());
    return settled(task, true);
  }

  private SettledPromotion failed(PromotionTask task, Throwable failure) {
    stats.promotionFailures.increment();
    LOG.info("object {} stays on disk only: {}", task.object().version(), failure.getMessage());
    return settled(task, false);
  }

  private static SettledPromotion settled(PromotionTask task, boolean written) {
    DiskObject object = task.object();
    return new SettledPromotion(
        object.tenant(), object.key(), object.version(), task.target().replicaId(), written);
  }

  private void ended() {
    running--;
    if (running == 0) {
      idle.forEach(Promise::tryComplete);
      idle.clear();
    }
  }

  /** Completes when none is under way. */
  Future<Void> idle() {
    if (running == 0) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    idle.add(promise);
    return promise.future();
  }

  /** What is under way ends before its next piece. */
  void stop() {
    stopped = true;
  }
}
