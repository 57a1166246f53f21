package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chooses the way of each transfer, and counts. Any thread. */
final class TransferRouter {
  /** How long a segment whose memory could not be mapped is reached in another way. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final VertxInternal vertx;
  private final List<Transport> transports;
  private final Function<UUID, @Nullable Lent> own;
  private final WorkerExecutor copies;
  private final List<TransferCounters> transferCounters;
  private final TransferCounters local = new TransferCounters();
  private final Map<UUID, Long> notMappableUntilNanos = new ConcurrentHashMap<>();

  /**
   * Makes a router.
   *
   * @param transports best first
   * @param own finds the segments that this process lends itself
   */
  TransferRouter(
      VertxInternal vertx,
      List<Transport> transports,
      Function<UUID, @Nullable Lent> own,
      int copyThreads) {
    this.vertx = vertx;
    this.transports = List.copyOf(transports);
    this.own = own;
    this.copies = vertx.createSharedWorkerExecutor("moonpool-local-copy", copyThreads);
    this.transferCounters = transports.stream().map(any -> new TransferCounters()).toList();
  }

  Map<String, TransferCounters> counters() {
    Map<String, TransferCounters> counters = new LinkedHashMap<>();
    counters.put(Transports.LOCAL, local);
    for (int i = 0; i < transports.size(); i++) {
      counters.put(transports.get(i).name(), transferCounters.get(i));
    }
    return counters;
  }

  Future<Void> transfer(
      boolean put, MemorySegment memory, PeerSegment peer, long remoteOffset, long deadlineNanos) {
    LocalMemory.check(put, memory);
    Lent mine = own.apply(peer.segmentId());
    if (mine != null) {
      return counted(
          local, put, memory, copyHere(put, memory, mine, peer, remoteOffset, deadlineNanos));
    }
    return through(0, null, put, memory, peer, remoteOffset, deadlineNanos);
  }

  /**
   * Takes the first way from the given one on that both sides have.
   *
   * @param otherwise why an earlier way failed: the failure when there is no other
   */
  private Future<Void> through(
      int first,
      @Nullable StoreException otherwise,
      boolean put,
      MemorySegment memory,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos) {
    for (int i = first; i < transports.size(); i++) {
      Transport transport = transports.get(i);
      if (transport instanceof ShmTransport shared) {
        PeerMapping mapping = shared.mapping(peer.segmentId(), peer.generation());
        if (mapping != null) {
          return counted(
              transferCounters.get(i),
              put,
              memory,
              shared.copy(put, memory, mapping, peer.size(), remoteOffset, deadlineNanos));
        }
      }
      SegmentEndpoint endpoint = endpoint(peer, transport.name());
      if (endpoint == null) {
        continue;
      }
      RemoteSegment remote = peer.through(endpoint);
      if (!(transport instanceof ShmTransport shared)) {
        Future<Void> done =
            put
                ? transport.put(memory, remote, remoteOffset, deadlineNanos)
                : transport.get(memory, remote, remoteOffset, deadlineNanos);
        return counted(transferCounters.get(i), put, memory, done);
      }
      if (mayBeMappable(peer.segmentId())) {
        return mapFirst(shared, remote, i, put, memory, peer, remoteOffset, deadlineNanos);
      }
    }
    return vertx
        .getOrCreateContext()
        .failedFuture(
            otherwise != null
                ? otherwise
                : new StoreException(
                    ErrorCode.TRANSFER_FAIL,
                    "no transport of this process reaches the segment: compare the transports that"
                        + " its node and this process are configured with"));
  }

  private static @Nullable SegmentEndpoint endpoint(PeerSegment peer, String transport) {
    for (SegmentEndpoint endpoint : peer.endpoints()) {
      if (endpoint.transport().equals(transport)) {
        return endpoint;
      }
    }
    return null;
  }

  private boolean mayBeMappable(UUID segmentId) {
    Long until = notMappableUntilNanos.get(segmentId);
    if (until == null) {
      return true;
    }
    if (System.nanoTime() - until < 0) {
      return false;
    }
    notMappableUntilNanos.remove(segmentId, until);
    return true;
  }

  private Future<Void> mapFirst(
      ShmTransport shared,
      RemoteSegment remote,
      int way,
      boolean put,
      MemorySegment memory,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos) {
    ContextInternal context = vertx.getOrCreateContext();
    Promise<Void> promise = context.promise();
    shared
        .openInTime(context, remote, deadlineNanos)
        .onComplete(
            opened -> {
              StoreException failure = null;
              if (opened.failed()) {
                failure = ShmTransport.refusal(opened.cause());
                if (!failure.equals(opened.cause())) {
                  notMappableUntilNanos.put(peer.segmentId(), System.nanoTime() + RETRY_NANOS);
                }
              }
              // Mapped: this way now. Not mapped: the next one.
              int next = failure == null ? way : way + 1;
              through(next, failure, put, memory, peer, remoteOffset, deadlineNanos)
                  .onComplete(promise);
            });
    return promise.future();
  }

  private Future<Void> copyHere(
      boolean put,
      MemorySegment memory,
      Lent mine,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos) {
    long length = memory.byteSize();
    PieceCopy.Gate gate =
        new PieceCopy.Gate() {
          @Override
          public Refusal enter() {
            return mine.enter(peer.generation(), remoteOffset, length);
          }

          @Override
          public void leave() {
            mine.leave();
          }
        };
    return PieceCopy.start(
        vertx.getOrCreateContext(),
        copies,
        put,
        memory,
        mine.memory(),
        Math.min(peer.size(), mine.memory().byteSize()),
        remoteOffset,
        deadlineNanos,
        gate);
  }

  private static Future<Void> counted(
      TransferCounters counter, boolean put, MemorySegment memory, Future<Void> done) {
    long bytes = memory.byteSize();
    if (done.isComplete()) {
      counter.count(put, bytes, done.succeeded());
    } else {
      done.onComplete(ended -> counter.count(put, bytes, ended.succeeded()));
    }
    return done;
  }

  Future<Void> close() {
    return copies.close();
  }
}
