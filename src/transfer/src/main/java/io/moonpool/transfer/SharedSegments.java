package io.moonpool.transfer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments that this process lets others map, and who maps them. A peer holds its mapping by a
 * connection: when that closes the peer has let go, or is dead.
 *
 * <p>Any thread. The state of a segment is guarded by its own lock, which is held for a few memory
 * accesses only.
 */
final class SharedSegments {
  private static final Logger LOG = LoggerFactory.getLogger(SharedSegments.class);

  private final Vertx vertx;
  private final Map<UUID, Shared> segments = new ConcurrentHashMap<>();

  SharedSegments(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Shares a segment, inactive at first.
   *
   * @throws IllegalStateException when it is shared already
   */
  void share(UUID id, SharedRegion region) {
    Shared shared = new Shared(id, region);
    if (segments.putIfAbsent(id, shared) != null) {
      shared.lent.withdraw();
      throw new IllegalStateException("segment " + id + " is registered already");
    }
  }

  /** The segment, null when it is not shared. */
  @Nullable Lent lent(UUID id) {
    Shared shared = segments.get(id);
    return shared == null ? null : shared.lent;
  }

  /**
   * Shares under another generation, once no peer copies under the old one. Blocks.
   *
   * @param generation {@link Lent#INACTIVE} to share under none
   */
  void activate(UUID id, long generation) {
    Shared shared = segments.get(id);
    if (shared == null) {
      throw new IllegalStateException("segment " + id + " is not registered");
    }
    if (shared.lent.generation() == generation) {
      return;
    }
    shared.stop();
    Grace.await(shared::busy);
    shared.start(generation);
  }

  /** Shares the segment no longer; completes when no peer copies from or to it. */
  Future<Void> withdraw(UUID id) {
    Shared shared = segments.remove(id);
    if (shared == null) {
      return Future.succeededFuture();
    }
    shared.stop();
    Future<Void> ownIdle = shared.lent.withdraw();
    Future<Void> left = Grace.over(vertx, shared::busy).onSuccess(idle -> shared.dropPeers());
    return Future.join(left, ownIdle).mapEmpty();
  }

  /**
   * Lets the process behind a connection map a segment.
   *
   * @return what it needs to know, or why not
   */
  Offer open(UUID id, long generation, DataServerConnection peer) {
    Shared shared = segments.get(id);
    return shared == null
        ? new Offer(Refusal.UNKNOWN_SEGMENT, null)
        : shared.open(generation, peer);
  }

  /** The connection is closed: what its process mapped is free for others. */
  void closed(UUID id, DataServerConnection peer) {
    Shared shared = segments.get(id);
    if (shared != null) {
      shared.closed(peer);
    }
  }

  /**
   * An answer to a peer that wants to map a segment.
   *
   * @param ticket an encoded {@link SharedTicket}, null when refused
   */
  record Offer(Refusal refusal, @Nullable MemorySegment ticket) {}

  /** One shared segment. */
  private static final class Shared {
    private final UUID id;
    private final SharedRegion region;
    private final Lent lent;
    private final ControlBlock control;
    private final Map<DataServerConnection, Integer> slots = new HashMap<>();
    private final List<Integer> leaving = new ArrayList<>();
    private final boolean[] taken = new boolean[ControlBlock.SLOTS];

    Shared(UUID id, SharedRegion region) {
      this.id = id;
      this.region = region;
      this.lent = new Lent(id, region);
      this.control = region.control();
      control.generation(Lent.INACTIVE);
    }

    synchronized Offer open(long generation, DataServerConnection peer) {
      Refusal refusal = lent.check(generation);
      if (refusal != Refusal.NONE) {
        return new Offer(refusal, null);
      }
      int slot = freeSlot();
      if (slot < 0 || slots.containsKey(peer)) {
        return new Offer(Refusal.NOT_OFFERED, null);
      }
      UUID token = UUID.randomUUID();
      control.assign(slot, token);
      taken[slot] = true;
      slots.put(peer, slot);
      SharedTicket ticket =
          new SharedTicket(
              ProcessHandle.current().pid(),
              region.fd(),
              region.memory().byteSize(),
              region.controlOffset(),
              slot,
              token);
      return new Offer(Refusal.NONE, ticket.encode());
    }

    private int freeSlot() {
      freeLeft();
      for (int slot = 0; slot < taken.length; slot++) {
        if (!taken[slot]) {
          return slot;
        }
      }
      return -1;
    }

    /** A peer that was copying when its connection closed keeps its slot until it has left. */
    private void freeLeft() {
      leaving.removeIf(
          slot -> {
            boolean left = !control.busy(slot);
            if (left) {
              free(slot);
            }
            return left;
          });
    }

    private void free(int slot) {
      control.clear(slot);
      taken[slot] = false;
    }

    synchronized void closed(DataServerConnection peer) {
      Integer slot = slots.remove(peer);
      if (slot != null) {
        leaving.add(slot);
        freeLeft();
      }
    }

    /** From now on no piece is started, by anybody. */
    synchronized void stop() {
      lent.generation(Lent.INACTIVE);
      control.generation(Lent.INACTIVE);
    }

    /** From now on pieces may be copied under that generation. */
    synchronized void start(long generation) {
      dropPeers();
      control.generation(generation);
      lent.generation(generation);
    }

    synchronized boolean busy() {
      freeLeft();
      return !lent.untouched()
          || !leaving.isEmpty()
          || slots.values().stream().anyMatch(control::busy);
    }

    /**
     * Tells the peers by closing their connections; they know only the old generation. One that
     * does not leave its piece, because it is dead or stopped, loses its slot for good.
     */
    synchronized void dropPeers() {
      for (DataServerConnection peer : List.copyOf(slots.keySet())) {
        closed(peer);
        peer.close();
      }
      if (!leaving.isEmpty()) {
        LOG.warn(
            "{} processes that map segment {} died or stopped in a copy; one that goes on may"
                + " still finish the piece it has begun",
            leaving.size(),
            id);
        leaving.clear();
      }
    }
  }
}
