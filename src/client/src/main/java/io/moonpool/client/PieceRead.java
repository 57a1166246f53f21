package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads whole blocks of an object from the first replica that has them: waits for its share of the
 * window, then asks one replica after the other until one delivers bytes that match their
 * checksums. When the lease ran out meanwhile it is renewed and all are asked once more.
 *
 * <p>A small piece of an object whose location is known passes through here with one promise and
 * without a change of threads: the transport tells this object itself. Runs on the client's loop.
 */
final class PieceRead implements Completable<Void> {
  private static final Logger LOG = LoggerFactory.getLogger(PieceRead.class);

  private final ClientCore core;
  private final LeasedObject object;
  private final long offset;
  private final MemorySegment target;
  private final long taken;
  private final Promise<Void> done;
  private List<ReplicaDescriptor> replicas = List.of();
  private int first;
  private int failed;
  private boolean renewed;

  /**
   * Prepares a read.
   *
   * @param offset where the blocks start
   * @param target is filled, with whole blocks
   */
  PieceRead(ClientCore core, LeasedObject object, long offset, MemorySegment target) {
    this.core = core;
    this.object = object;
    this.offset = offset;
    this.target = target;
    this.taken = core.window().clamp(target.byteSize());
    this.done = core.loop().promise();
  }

  /** Reads. Call it once. */
  Future<Void> start() {
    Future<Void> turn = core.window().take(taken);
    if (turn.succeeded()) {
      locate();
    } else {
      turn.onSuccess(granted -> locate());
    }
    return done.future();
  }

  private void locate() {
    Future<Void> live = object.live();
    Future<List<ReplicaDescriptor>> found =
        live.succeeded() ? object.replicas() : live.compose(leased -> object.replicas());
    if (found.succeeded()) {
      begin(found.result());
    } else {
      found.onSuccess(this::begin).onFailure(this::renewOrEnd);
    }
  }

  private void begin(List<ReplicaDescriptor> readable) {
    replicas = readable;
    first = object.firstReplica();
    failed = 0;
    readNext();
  }

  private int index() {
    return (first + failed) % replicas.size();
  }

  private void readNext() {
    ReplicaDescriptor replica = replicas.get(index());
    long nowNanos = System.nanoTime();
    // A replica that hangs may use up its share of the lease, not that of the others.
    long deadlineNanos =
        nowNanos + (object.deadlineNanos() - nowNanos) / (replicas.size() - failed);
    ReachableSegment segment = core.segments().known(replica.generation());
    if (segment != null) {
      fetch(segment, replica, deadlineNanos);
    } else {
      core.segments()
          .find(replica.generation())
          .onSuccess(found -> fetch(found, replica, deadlineNanos))
          .onFailure(this::replicaFailed);
    }
  }

  private void fetch(ReachableSegment segment, ReplicaDescriptor replica, long deadlineNanos) {
    if (replica.type() == ReplicaType.LOCAL_DISK) {
      core.disks()
          .get(
              segment.peer(),
              object.tenant(),
              object.key(),
              object.version(),
              object.size(),
              offset,
              target,
              deadlineNanos)
          .onComplete(this);
    } else {
      segment.get(target, replica.offset() + offset, deadlineNanos, this);
    }
  }

  /** The bytes of one replica are here, or do not come. Maybe outside the loop's context. */
  @Override
  public void complete(@Nullable Void nothing, @Nullable Throwable failure) {
    if (failure != null) {
      core.loop().dispatch(() -> replicaFailed(failure));
    } else if (!object.checked()) {
      worked();
    } else if (target.byteSize() > Checksum.BLOCK_BYTES) {
      core.loop()
          .dispatch(
              () ->
                  core.sums()
                      .matches(object.checksum(), offset, target)
                      .onSuccess(this::compared)
                      .onFailure(this::replicaFailed));
    } else if (ValueSums.matches(object.checksum(), offset, target)) {
      worked();
    } else {
      core.loop().dispatch(() -> compared(false));
    }
  }

  private void compared(boolean matches) {
    if (matches) {
      worked();
      return;
    }
    core.counters().checksumMismatch();
    ReplicaDescriptor replica = replicas.get(index());
    LOG.warn("The bytes of replica {} of {} do not match their checksum", replica, object.key());
    replicaFailed(
        new StoreException(
            ErrorCode.CHECKSUM_MISMATCH,
            "the bytes of replica " + replica.id() + " do not match their checksum"));
  }

  private void worked() {
    core.counters().read(replicas.get(index()).type(), target.byteSize());
    if (failed > 0) {
      object.firstReplica(index()); // later pieces start with this one
    }
    end(null);
  }

  private void replicaFailed(Throwable failure) {
    LOG.debug("Replica {} of {} could not be read", index(), object.key(), failure);
    failed++;
    if (failed < replicas.size()) {
      core.counters().replicaFallback();
      readNext();
    } else {
      renewOrEnd(failure);
    }
  }

  private void renewOrEnd(Throwable failure) {
    if (renewed || StoreException.codeOf(failure) != ErrorCode.LEASE_EXPIRED) {
      end(failure);
      return;
    }
    renewed = true;
    core.counters().repeatedRead();
    object.renew().onSuccess(leased -> locate()).onFailure(this::end);
  }

  private void end(@Nullable Throwable failure) {
    core.window().give(taken);
    done.complete(null, failure);
  }
}
