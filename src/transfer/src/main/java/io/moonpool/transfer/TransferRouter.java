package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Completable;
import io.vertx.core.Future;
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
  /** How long a segment that one way does not lead to is reached in another way. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<Transport> transports;
  private final Function<UUID, @Nullable Lent> own;
  private final Workers copies;
  private final CopyTurns turns = new CopyTurns();
  private final List<TransferCounters> transferCounters;
  private final TransferCounters local = new TransferCounters();
  private final Map<Way, Long> closedUntilNanos = new ConcurrentHashMap<>();

  /** One transport to one segment. */
  private record Way(String transport, UUID segmentId) {}

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
    this.transports = List.copyOf(transports);
    this.own = own;
    this.copies = new Workers(vertx, "moonpool-local-copy", copyThreads);
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

  /**
   * Moves bytes.
   *
   * @param context the caller's
   * @param done told on the event loop of the context, or before this returns
   */
  void transfer(
      ContextInternal context,
      boolean put,
      MemorySegment memory,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    LocalMemory.check(put, memory);
    Lent mine = own.apply(peer.segmentId());
    if (mine != null) {
      Future<Void> copied = copyHere(context, put, memory, mine, peer, remoteOffset, deadlineNanos);
      settle(copied, new Counted(local, put, memory.byteSize(), done));
    } else {
      through(0, null, context, put, memory, peer, remoteOffset, deadlineNanos, done);
    }
  }

  /**
   * Takes the first way from the given one on that both sides have.
   *
   * @param otherwise why an earlier way failed: the failure when there is no other
   */
  private void through(
      int first,
      @Nullable StoreException otherwise,
      ContextInternal context,
      boolean put,
      MemorySegment memory,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    for (int i = first; i < transports.size(); i++) {
      Transport transport = transports.get(i);
      if (transport instanceof ShmTransport shared) {
        PeerMapping mapping = shared.mapping(peer.segmentId(), peer.generation());
        if (mapping != null) {
          Future<Void> copied =
              shared.copy(context, put, memory, mapping, peer.size(), remoteOffset, deadlineNanos);
          settle(copied, new Counted(transferCounters.get(i), put, memory.byteSize(), done));
          return;
        }
      }
      if (transport instanceof UcxTransport ucx) {
        UcxWindow window = ucx.window(peer.segmentId(), peer.generation());
        if (window != null) {
          ucx.transfer(
              context,
              put,
              memory,
              window,
              peer.size(),
              remoteOffset,
              deadlineNanos,
              new Counted(transferCounters.get(i), put, memory.byteSize(), done));
          return;
        }
      }
      RemoteSegment remote = peer.through(transport.name());
      if (remote == null || !leadsTo(transport, peer)) {
        continue;
      }
      if (transport instanceof LoopTransport<?, ?> loops) {
        loops.transfer(
            context,
            put,
            memory,
            remote,
            remoteOffset,
            deadlineNanos,
            new Counted(transferCounters.get(i), put, memory.byteSize(), done));
        return;
      }
      if (transport instanceof OpeningTransport<?> opening
          && mayOpen(transport, peer.segmentId())) {
        openFirst(
            opening, remote, i, context, put, memory, peer, remoteOffset, deadlineNanos, done);
        return;
      }
    }
    done.fail(
        otherwise != null
            ? otherwise
            : new StoreException(
                ErrorCode.TRANSFER_FAIL,
                "no transport of this process reaches the segment: compare the transports that its"
                    + " node and this process are configured with"));
  }

  /** The way that a transfer would take now, as far as is known without trying. */
  String choice(PeerSegment peer) {
    if (own.apply(peer.segmentId()) != null) {
      return Transports.LOCAL;
    }
    for (Transport transport : transports) {
      RemoteSegment remote = peer.through(transport.name());
      Long closed = closedUntilNanos.get(new Way(transport.name(), peer.segmentId()));
      boolean open = closed == null || System.nanoTime() - closed >= 0;
      if (remote != null
          && leadsTo(transport, peer)
          && open
          && !(transport instanceof ShmTransport && !ShmTransport.isNear(remote))) {
        return transport.name();
      }
    }
    return "none";
  }

  /** Segments of nodes are reached by what is configured, not by what is for others. */
  private static boolean leadsTo(Transport transport, PeerSegment peer) {
    return peer.foreign() || !(transport instanceof MooncakeTransport);
  }

  private static void settle(Future<Void> copied, Completable<Void> done) {
    if (copied.isComplete()) {
      done.complete(null, copied.cause());
    } else {
      copied.onComplete(done);
    }
  }

  private boolean mayOpen(Transport transport, UUID segmentId) {
    Way way = new Way(transport.name(), segmentId);
    Long until = closedUntilNanos.get(way);
    if (until == null) {
      return true;
    }
    if (System.nanoTime() - until < 0) {
      return false;
    }
    closedUntilNanos.remove(way, until);
    return true;
  }

  private void openFirst(
      OpeningTransport<?> transport,
      RemoteSegment remote,
      int way,
      ContextInternal context,
      boolean put,
      MemorySegment memory,
      PeerSegment peer,
      long remoteOffset,
      long deadlineNanos,
      Completable<Void> done) {
    transport
        .openInTime(context, remote, deadlineNanos)
        .onComplete(
            opened -> {
              StoreException failure = null;
              if (opened.failed()) {
                failure = transport.refusal(opened.cause());
                if (!failure.equals(opened.cause())) {
                  closedUntilNanos.put(
                      new Way(transport.name(), peer.segmentId()), System.nanoTime() + RETRY_NANOS);
                }
              }
              // Open: this way now. Not open: the next one.
              int next = failure == null ? way : way + 1;
              through(next, failure, context, put, memory, peer, remoteOffset, deadlineNanos, done);
            });
  }

  private Future<Void> copyHere(
      ContextInternal context,
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
        context,
        copies,
        turns,
        put,
        memory,
        mine.memory(),
        Math.min(peer.size(), mine.memory().byteSize()),
        remoteOffset,
        deadlineNanos,
        gate);
  }

  /** Counts a transfer when it ends, and tells its caller. */
  private record Counted(
      TransferCounters counters, boolean put, long bytes, Completable<Void> caller)
      implements Completable<Void> {
    @Override
    public void complete(@Nullable Void nothing, @Nullable Throwable failure) {
      counters.count(put, bytes, failure == null);
      caller.complete(null, failure);
    }
  }

  Future<Void> close() {
    return copies.close();
  }
}
