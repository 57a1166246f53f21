package io.moonpool.node.disk;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.ReleaseStaged;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.protocol.call.StageObjects;
import io.moonpool.protocol.call.StagedObjects;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.moonpool.transfer.ValueChecksum;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings objects from the disk back into memory: reads a value into staging memory as for anybody
 * who asks for it, checks it, and writes it from there to where the master reserved space, on this
 * node or on another. A large value goes a piece at a time, so that it does not take the staging
 * memory of all readers.
 *
 * <p>Nothing is written after a task's grant has ended: the transports see to that. Belongs to an
 * event loop.
 */
final class Promoter {
  private static final Logger LOG = LoggerFactory.getLogger(Promoter.class);

  /** How many objects are brought back at a time. */
  private static final int AT_ONCE = 16;

  /** What is read at a time of a value whose blocks have checksums: whole blocks. */
  private static final long PIECE_BYTES = 8L * Checksum.BLOCK_BYTES;

  private final Staging staging;
  private final MemorySegment stagingMemory;
  private final DiskWorkers workers;
  private final Transports transports;
  private final PeerDirectory peers;
  private final Consumer<DiskRecord> damaged;
  private final Function<SettledPromotion, Future<Void>> settle;
  private final DiskStats stats;
  private final List<Promise<Void>> idle = new ArrayList<>();
  private int running;
  private boolean stopped;

  /**
   * A promoter.
   *
   * @param stagingMemory what {@code staging} hands out
   * @param damaged hears of values that are not what their writer wrote
   * @param settle tells the master how one has ended
   */
  Promoter(
      Staging staging,
      MemorySegment stagingMemory,
      DiskWorkers workers,
      Transports transports,
      PeerDirectory peers,
      Consumer<DiskRecord> damaged,
      Function<SettledPromotion, Future<Void>> settle,
      DiskStats stats) {
    this.staging = staging;
    this.stagingMemory = stagingMemory;
    this.workers = workers;
    this.transports = transports;
    this.peers = peers;
    this.damaged = damaged;
    this.settle = settle;
    this.stats = stats;
  }

  /** How many more objects it can bring back now. */
  int free() {
    return Math.max(0, AT_ONCE - running);
  }

  /** Brings objects back; each is settled when it has ended. */
  void start(List<PromotionTask> tasks) {
    long nowNanos = System.nanoTime();
    for (PromotionTask task : tasks) {
      running++;
      long untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(task.grantMillis());
      new Run(task, untilNanos)
          .run()
          .map(done -> written(task))
          .otherwise(failure -> failed(task, failure))
          .compose(settle)
          .onComplete(done -> ended());
    }
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

  /** What is under way ends with its next piece. */
  void stop() {
    stopped = true;
  }

  /** One object on its way. */
  private final class Run {
    private final PromotionTask task;
    private final DiskObject object;
    private final long untilNanos;
    private final long pieceBytes;

    Run(PromotionTask task, long untilNanos) {
      this.task = task;
      this.object = task.object();
      this.untilNanos = untilNanos;
      boolean inPieces =
          object.checksum().kind() == ChecksumKind.CRC32C && object.size() > PIECE_BYTES;
      this.pieceBytes = inPieces ? PIECE_BYTES : object.size();
    }

    Future<Void> run() {
      return peers.find(task.target().generation()).compose(peer -> from(peer, 0));
    }

    /** Writes what is left of the value. */
    private Future<Void> from(PeerSegment peer, long offset) {
      if (offset >= object.size()) {
        return Future.succeededFuture();
      }
      if (stopped || System.nanoTime() - untilNanos >= 0) {
        return Future.failedFuture(
            new StoreException(
                ErrorCode.LEASE_EXPIRED, "the time to write it is over, or the mount has ended"));
      }
      long length = Math.min(pieceBytes, object.size() - offset);
      return piece(peer, offset, length).compose(done -> from(peer, offset + length));
    }

    private Future<Void> piece(PeerSegment peer, long offset, long length) {
      long askedNanos = System.nanoTime();
      return staging
          .stage(
              new StageObjects(
                  object.tenant(), key(), new long[] {object.version()}, offset, length))
          .compose(
              staged ->
                  write(staged, peer, offset, length, askedNanos)
                      .eventually(() -> staging.release(new ReleaseStaged(staged.batchId()))));
    }

    private KeyBatch key() {
      KeyBatch keys = new KeyBatch(1);
      keys.add(object.key(), 0, object.key().length);
      return keys;
    }

    private Future<Void> write(
        StagedObjects staged, PeerSegment peer, long offset, long length, long askedNanos) {
      Outcome<Long> at = staged.offsets().getFirst();
      if (!at.ok()) {
        return Future.failedFuture(new StoreException(at.code()));
      }
      // The lease runs from the answer on; counting from the question errs on the safe side.
      long stagedUntilNanos = askedNanos + TimeUnit.MILLISECONDS.toNanos(staged.leaseMillis());
      long endNanos = stagedUntilNanos - untilNanos < 0 ? stagedUntilNanos : untilNanos;
      MemorySegment bytes = stagingMemory.asSlice(at.get(), length);
      return check(bytes, offset)
          .compose(
              checked -> transports.put(bytes, peer, task.target().offset() + offset, endNanos))
          .compose(
              written ->
                  System.nanoTime() - stagedUntilNanos < 0
                      ? Future.succeededFuture()
                      : Future.failedFuture(
                          new StoreException(
                              ErrorCode.LEASE_EXPIRED,
                              "the staging memory was taken back before it was written")));
    }

    /** A part is checked here; a whole value was, when it was read. */
    private Future<Void> check(MemorySegment bytes, long offset) {
      if (bytes.byteSize() == object.size()) {
        return Future.succeededFuture();
      }
      return workers
          .run(() -> isIntact(bytes, offset))
          .compose(
              intact -> {
                if (intact) {
                  return Future.succeededFuture();
                }
                damaged.accept(new DiskRecord(object.tenant(), object.key(), object.version()));
                return Future.failedFuture(
                    new StoreException(
                        ErrorCode.CHECKSUM_MISMATCH,
                        "it is damaged on disk and is given up there"));
              });
    }

    /** Whether whole blocks, the last one aside, are what their writer wrote. */
    private boolean isIntact(MemorySegment bytes, long offset) {
      int[] blocks = object.checksum().blocks();
      for (long at = 0; at < bytes.byteSize(); at += Checksum.BLOCK_BYTES) {
        int block = (int) ((offset + at) / Checksum.BLOCK_BYTES);
        long length = Math.min(Checksum.BLOCK_BYTES, bytes.byteSize() - at);
        if (block >= blocks.length
            || ValueChecksum.crc(bytes.asSlice(at, length)) != blocks[block]) {
          return false;
        }
      }
      return true;
    }
  }
}
