package io.moonpool.node.rest;

import io.moonpool.client.parts.StagingPool;
import io.moonpool.client.parts.StagingPool.Staging;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shares the staging memory among requests, so that peers who do not take what they asked for, or
 * do not send what they announced, do not keep it from others:
 *
 * <ul>
 *   <li>One peer, by its address, has three quarters at most, and one connection half.
 *   <li>When there is none left, requests wait in the order in which they came, those first that
 *       have nothing: who holds a piece gets the next one when others have their first.
 *   <li>While requests wait, those are cut off that hold memory and whose peer has taken or sent
 *       nothing for a tenth of the time that a request waits, the slowest first: those ahead of it
 *       may be many.
 *   <li>A request that has not begun fails when it has waited long enough.
 * </ul>
 *
 * <p>Small amounts and slabs are two supplies; each is shared like that. Work is per request that
 * waits or holds memory, and only when memory is asked for or comes back. Belongs to the loop of
 * REST.
 */
final class SharedStaging {
  /** How often those who wait are looked at while they do. */
  private static final int LOOKS_A_WAIT = 40;

  /** Which part of a wait a peer may do nothing for. */
  private static final int IDLE_PART = 10;

  private final Vertx vertx;
  private final StagingPool pool;
  private final RestStats stats;
  private final long waitMillis;
  private final Supply small;
  private final Supply slabs;

  /** Told to the caller who has waited for long enough. */
  private static StoreException busy() {
    return new StoreException(
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "the node's staging memory is taken by other requests: try again, or raise staging_bytes");
  }

  /**
   * All of it is free.
   *
   * @param waitMillis how long a request may wait for its first piece
   */
  SharedStaging(Vertx vertx, StagingPool pool, RestStats stats, long waitMillis) {
    this.vertx = vertx;
    this.pool = pool;
    this.stats = stats;
    this.waitMillis = waitMillis;
    small = new Supply(pool.maxBytes());
    slabs = new Supply(pool.slabs());
  }

  /** The largest amount that can be asked for, in bytes. */
  long maxBytes() {
    return pool.maxBytes();
  }

  /** A request that may want memory. */
  User user(HttpServerRequest request) {
    SocketAddress address = request.remoteAddress();
    String peer = address == null || address.host() == null ? "" : address.host();
    return new User(peer, request.connection(), () -> Connections.cut(request));
  }

  /** For tests, which have no requests. */
  User user(Object peer, Object connection, Runnable cut) {
    return new User(peer, connection, cut);
  }

  /** How many requests wait. */
  int waiting() {
    return small.waiting.size() + slabs.waiting.size();
  }

  /** One request. */
  final class User {
    private final Object peer;
    private final Object connection;
    private final Runnable cut;
    private boolean begun;
    private boolean cutOff;

    /** Units of each supply that it holds. */
    private final Map<Supply, Long> held = new HashMap<>(2);

    /** Since when its peer was expected to take or send something, and did not. */
    private long idleSinceNanos;

    private boolean awaitsPeer;

    private User(Object peer, Object connection, Runnable cut) {
      this.peer = peer;
      this.connection = connection;
      this.cut = cut;
    }

    /**
     * Lends memory when it is this request's turn.
     *
     * @return fails with UNAVAILABLE_IN_CURRENT_STATUS when this is the first that the request asks
     *     for, and there was none in time
     */
    Future<Staging> take(long bytes) {
      return pool.isSmall(bytes) ? small.take(this, bytes, bytes) : slabs.take(this, bytes, 1);
    }

    /** From now on its peer has to take or to send something. */
    void awaitPeer() {
      awaitsPeer = true;
      idleSinceNanos = System.nanoTime();
    }

    /** The peer has taken or sent something. */
    void progress() {
      idleSinceNanos = System.nanoTime();
    }

    /** Nothing is expected of its peer. */
    void peerDone() {
      awaitsPeer = false;
    }

    private long held(Supply supply) {
      return held.getOrDefault(supply, 0L);
    }
  }

  private record Waiting(
      User user, long bytes, long units, Promise<Staging> promise, long giveUpNanos) {}

  /** Memory of one kind, counted in units. */
  private final class Supply {
    private final long capacity;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Set<User> holders = new LinkedHashSet<>();
    private final Map<Object, Long> byPeer = new HashMap<>();
    private final Map<Object, Long> byConnection = new HashMap<>();
    private long used;
    private boolean looking;

    Supply(long capacity) {
      this.capacity = capacity;
    }

    Future<Staging> take(User user, long bytes, long units) {
      if (waiting.isEmpty() && fits(user, units)) {
        return lend(user, bytes, units);
      }
      stats.stagingWaited();
      Promise<Staging> promise = Promise.promise();
      long patienceNanos =
          user.begun ? Long.MAX_VALUE / 2 : TimeUnit.MILLISECONDS.toNanos(waitMillis);
      waiting.add(new Waiting(user, bytes, units, promise, System.nanoTime() + patienceNanos));
      serve();
      look();
      return promise.future();
    }

    private boolean fits(User user, long units) {
      return used + units <= capacity
          && within(byPeer, user.peer, units, capacity - capacity / 4)
          && within(byConnection, user.connection, units, capacity - capacity / 2);
    }

    /** Whoever has nothing may have one piece, however small the share is. */
    private static boolean within(Map<Object, Long> held, Object who, long units, long share) {
      long has = held.getOrDefault(who, 0L);
      return has == 0 || has + units <= share;
    }

    private Future<Staging> lend(User user, long bytes, long units) {
      count(user, units);
      return pool.take(bytes)
          .<Staging>map(lent -> new Lent(lent, this, user, units))
          .onFailure(failed -> uncount(user, units));
    }

    private void count(User user, long units) {
      user.begun = true;
      used += units;
      holders.add(user);
      user.held.merge(this, units, Long::sum);
      byPeer.merge(user.peer, units, Long::sum);
      byConnection.merge(user.connection, units, Long::sum);
    }

    private void uncount(User user, long units) {
      used -= units;
      if (subtract(user.held, this, units)) {
        holders.remove(user);
      }
      subtract(byPeer, user.peer, units);
      subtract(byConnection, user.connection, units);
    }

    /** Answers whether nothing is left. */
    private static <K> boolean subtract(Map<K, Long> from, K key, long units) {
      return from.computeIfPresent(key, (k, had) -> had == units ? null : (Long) (had - units))
          == null;
    }

    void giveBack(User user, long units) {
      uncount(user, units);
      serve();
    }

    private void serve() {
      for (Waiting next = next(); next != null; next = next()) {
        waiting.remove(next);
        lend(next.user, next.bytes, next.units).onComplete(next.promise);
      }
    }

    private @Nullable Waiting next() {
      Waiting withNothing = next(true);
      return withNothing == null ? next(false) : withNothing;
    }

    /** The first that can be served; nobody who wants less overtakes one with the same right. */
    private @Nullable Waiting next(boolean withNothing) {
      for (Waiting each : waiting) {
        if (withNothing == (each.user.held(this) == 0)) {
          if (fits(each.user, each.units)) {
            return each;
          }
          if (used + each.units > capacity) {
            return null;
          }
        }
      }
      return null;
    }

    /** Looks at those who wait again and again until nobody does. */
    private void look() {
      if (!looking && !waiting.isEmpty()) {
        looking = true;
        vertx.setTimer(
            Math.max(1, waitMillis / LOOKS_A_WAIT),
            now -> {
              looking = false;
              giveUp();
              cutIdle();
              look();
            });
      }
    }

    private void giveUp() {
      long now = System.nanoTime();
      List<Waiting> late = new ArrayList<>();
      waiting.removeIf(each -> each.giveUpNanos - now <= 0 && late.add(each));
      for (Waiting each : late) {
        stats.stagingRefused();
        each.promise.fail(busy());
      }
      if (!late.isEmpty()) {
        serve(); // the first in line may have wanted more than those behind it
      }
    }

    private void cutIdle() {
      long wanted = waiting.stream().mapToLong(Waiting::units).sum();
      long now = System.nanoTime();
      long patience = TimeUnit.MILLISECONDS.toNanos(waitMillis) / IDLE_PART;
      boolean full = waiting.stream().anyMatch(each -> used + each.units > capacity);
      Set<Object> peers = new HashSet<>();
      waiting.forEach(each -> peers.add(each.user.peer));
      List<User> idle =
          holders.stream()
              // Otherwise what a peer lacks is its own share.
              .filter(user -> full || peers.contains(user.peer))
              .filter(user -> user.awaitsPeer && now - user.idleSinceNanos >= patience)
              .sorted(Comparator.comparingLong(user -> user.idleSinceNanos - now))
              .toList();
      for (User user : idle) {
        if (wanted > 0) {
          wanted -= user.held(this);
          if (!user.cutOff) {
            user.cutOff = true;
            stats.idleCut();
            user.cut.run();
          }
        }
      }
    }
  }

  private record Lent(Staging staging, Supply supply, User user, long units) implements Staging {
    @Override
    public MemorySegment memory() {
      return staging.memory();
    }

    @Override
    public void release() {
      staging.release();
      supply.giveBack(user, units);
    }
  }
}
