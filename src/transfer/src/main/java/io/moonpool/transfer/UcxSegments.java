package io.moonpool.transfer;

import io.moonpool.ucx.UcxMemory;
import io.moonpool.ucx.UcxWorker;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments that this process lends through UCX, and who holds a ticket for them.
 *
 * <p>One-sided accesses are not asked for, so they cannot be refused one by one. A peer holds its
 * ticket by a connection on the data port. When a segment is withdrawn or mounted anew its peers
 * are told there; they stop, wait for what is under way, say so and close. A peer that does not, or
 * whose connection just breaks, may have accesses on their way: it is fenced off by closing the UCX
 * worker that all tickets name, and only then may the memory be used for something else. The others
 * then ask for new tickets. The same happens when this process finds that it was stopped: what
 * arrived in the meantime is dropped with the worker instead of being applied late.
 *
 * <p>Any thread, but for the {@link UcxLoop.Duty}. State is guarded by the object's lock, which is
 * held for a few memory accesses only.
 */
final class UcxSegments implements UcxLoop.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(UcxSegments.class);

  /** How long the thread may take to close a worker. */
  private static final long RENEWAL_SECONDS = 20;

  private final VertxInternal vertx;
  private final Map<UUID, Segment> segments = new ConcurrentHashMap<>();
  private final Set<Visit> visits = new HashSet<>();
  private @Nullable UcxLoop loop;
  private byte @Nullable [] address;
  private long workerNumber;

  UcxSegments(VertxInternal vertx) {
    this.vertx = vertx;
  }

  /** Names the loop that runs this duty, before it runs. */
  synchronized void ranBy(UcxLoop running) {
    loop = running;
  }

  /**
   * Lends a segment, inactive at first.
   *
   * @param memory its registration, which is closed with the segment if it is not the region's own
   * @throws IllegalStateException when it is lent already
   */
  void lend(UUID id, Region region, UcxMemory memory) {
    Segment segment =
        new Segment(
            new Lent(id, region), memory, memory.remoteKey(), !(region instanceof UcxRegion));
    if (segments.putIfAbsent(id, segment) != null) {
      segment.lent.withdraw();
      throw new IllegalStateException("segment " + id + " is registered already");
    }
  }

  /**
   * Lends under another generation, once no peer has anything under way under the old one. Blocks.
   *
   * @param generation {@link Lent#INACTIVE} to lend under none
   */
  void activate(UUID id, long generation) {
    Segment segment = segments.get(id);
    if (segment == null) {
      throw new IllegalStateException("segment " + id + " is not registered");
    }
    if (segment.lent.generation() == generation) {
      return;
    }
    stop(segment);
    Grace.await(() -> visited(segment));
    if (mustFence(segment)) {
      awaitFence();
    }
    segment.lent.generation(generation);
  }

  private void awaitFence() {
    CountDownLatch fenced = new CountDownLatch(1);
    fence().onComplete(done -> fenced.countDown());
    try {
      if (fenced.await(RENEWAL_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException("the thread of ucx does not answer");
  }

  /** Lends the segment no longer; completes when no peer can access it. */
  Future<Void> withdraw(UUID id) {
    Segment segment = segments.remove(id);
    if (segment == null) {
      return Future.succeededFuture();
    }
    stop(segment);
    return Grace.over(vertx, () -> visited(segment))
        .compose(gone -> mustFence(segment) ? fence() : Future.succeededFuture())
        .compose(fenced -> close(segment))
        .compose(closed -> segment.lent.withdraw());
  }

  private Future<Void> close(Segment segment) {
    if (!segment.ownMemory) {
      return Future.succeededFuture();
    }
    return vertx
        .executeBlocking(
            () -> {
              segment.memory.close();
              return segment;
            },
            false)
        .mapEmpty();
  }

  /** From now on nobody gets a ticket, and those who have one are asked to end. */
  private synchronized void stop(Segment segment) {
    segment.lent.generation(Lent.INACTIVE);
    for (Visit visit : visits) {
      if (visit.segment.equals(segment)) {
        visit.peer.revoke();
      }
    }
  }

  private synchronized boolean visited(Segment segment) {
    return visits.stream().anyMatch(visit -> visit.segment.equals(segment));
  }

  /** Whether accesses to a segment that was stopped may still be on their way. */
  private synchronized boolean mustFence(Segment segment) {
    for (Visit visit : List.copyOf(visits)) {
      if (visit.segment.equals(segment)) {
        segment.tainted = true;
        visits.remove(visit);
        visit.peer.close();
      }
    }
    return segment.tainted;
  }

  /** Cuts off all peers, those of other segments too; completes when none can access anything. */
  private Future<Void> fence() {
    Promise<Void> done = Promise.promise();
    UcxLoop running;
    synchronized (this) {
      running = loop;
    }
    if (running == null) {
      return Future.succeededFuture();
    }
    running.execute(
        () -> {
          renew("a peer did not end its accesses to a segment in time, or died during them");
          done.complete();
        },
        done::complete); // The loop has ended, and its worker with it.
    return done.future();
  }

  /** On the loop. */
  private void renew(String reason) {
    UcxLoop running;
    List<Visit> cut;
    synchronized (this) {
      running = loop;
      address = null;
      cut = new ArrayList<>(visits);
      visits.clear();
    }
    LOG.info("{}: {} tickets of ucx are void, their holders ask for new ones", reason, cut.size());
    cut.forEach(visit -> visit.peer.close());
    if (running != null) {
      running.renew();
    }
    synchronized (this) {
      segments.values().forEach(segment -> segment.tainted = false);
    }
  }

  /**
   * Lets the process behind a connection access a segment.
   *
   * @return a ticket, or why not
   */
  synchronized Offer open(UUID id, long generation, DataServerConnection peer) {
    Segment segment = segments.get(id);
    byte[] current = address;
    if (segment == null) {
      return Offer.refused(Refusal.UNKNOWN_SEGMENT);
    }
    Refusal refusal = segment.lent.check(generation);
    if (refusal != Refusal.NONE || current == null) {
      return Offer.refused(refusal != Refusal.NONE ? refusal : Refusal.NOT_ACTIVE);
    }
    Visit visit = new Visit(segment, peer);
    visits.add(visit);
    MemorySegment memory = segment.memory.memory();
    UcxTicket ticket =
        new UcxTicket(workerNumber, current, memory.address(), memory.byteSize(), segment.key);
    return new Offer(Refusal.NONE, ticket.encode(), visit);
  }

  @Override
  public void opened(UcxWorker worker) {
    byte[] bytes = worker.address();
    synchronized (this) {
      workerNumber = UUID.randomUUID().getLeastSignificantBits();
      address = bytes;
    }
  }

  @Override
  public int turn(long nowNanos) {
    return UcxLoop.MAX_SLEEP_MILLIS;
  }

  @Override
  public void stalled() {
    boolean expected;
    synchronized (this) {
      // A connection that closed meanwhile may have been noticed first, by its event loop.
      expected =
          !visits.isEmpty() || segments.values().stream().anyMatch(segment -> segment.tainted);
    }
    if (expected) {
      renew("this process was stopped for a while");
    }
  }

  @Override
  public boolean stopping(long nowNanos) {
    return true;
  }

  @Override
  public void ended() {
    List<Visit> cut;
    synchronized (this) {
      address = null;
      cut = new ArrayList<>(visits);
      visits.clear();
      segments.values().forEach(segment -> segment.tainted = false);
    }
    cut.forEach(visit -> visit.peer.close());
  }

  /**
   * An answer to a peer that wants a ticket.
   *
   * @param ticket an encoded {@link UcxTicket}, null when refused
   * @param visit what the connection then stands for
   */
  record Offer(Refusal refusal, @Nullable MemorySegment ticket, @Nullable Visit visit) {
    static Offer refused(Refusal refusal) {
      return new Offer(refusal, null, null);
    }
  }

  /** A ticket that a peer holds. */
  final class Visit {
    private final Segment segment;
    private final DataServerConnection peer;

    private Visit(Segment segment, DataServerConnection peer) {
      this.segment = segment;
      this.peer = peer;
    }

    /** The peer says that it has nothing under way and will start nothing. */
    void left() {
      synchronized (UcxSegments.this) {
        visits.remove(this);
      }
    }

    /** The connection is closed. Without a word before, accesses may be on their way. */
    void closed() {
      synchronized (UcxSegments.this) {
        if (visits.remove(this)) {
          segment.tainted = true;
        }
      }
    }
  }

  /** One lent segment. */
  private static final class Segment {
    final Lent lent;
    final UcxMemory memory;
    final byte[] key;
    final boolean ownMemory;
    boolean tainted;

    Segment(Lent lent, UcxMemory memory, byte[] key, boolean ownMemory) {
      this.lent = lent;
      this.memory = memory;
      this.key = key;
      this.ownMemory = ownMemory;
    }
  }
}
