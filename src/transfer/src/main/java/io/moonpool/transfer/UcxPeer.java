package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.ucx.UcxEndpoint;
import io.moonpool.ucx.UcxException;
import io.moonpool.ucx.UcxRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint to one worker of a peer, the transfers that wait for it, and what is under way.
 * Small transfers go first; large ones take turns, a piece each. The puts of one pass are followed
 * by one flush, and have ended only when that has: then the peer's processor sees their bytes.
 *
 * <pre>
 * state   | event                                          | next
 * OPEN    | error of the library, a piece that takes too   | FAILING: the endpoint is closed, what
 *         | long, connection of a window broken            | waits fails, windows are gone
 * OPEN    | no windows, nothing waits, nothing under way    | CLOSED
 * FAILING | all pieces have ended                           | CLOSED
 * FAILING | they have not after {@link #CUT_OFF_NANOS}      | stuck: the worker must be renewed
 * </pre>
 *
 * <p>Belongs to the loop that asks.
 */
final class UcxPeer {
  /** Transfers up to this size go first. */
  private static final long SMALL_BYTES = 64 << 10;

  private static final int MAX_PIECES = 128;
  private static final long MAX_BYTES = 8L << 20;

  /** Bytes handed to the library in one pass, which a shared-memory transport copies at once. */
  private static final long PASS_BYTES = 2L << 20;

  /** How long what was under way may take to end after the endpoint was closed. */
  private static final long CUT_OFF_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How often deadlines are looked at. */
  private static final long EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final long number;
  private final UcxEndpoint endpoint;
  private final UcxStages stages;
  private final long operationNanos;
  private final Set<UcxWindow> windows = new HashSet<>();
  private final ArrayDeque<UcxTransfer> small = new ArrayDeque<>();
  private final ArrayDeque<UcxTransfer> bulk = new ArrayDeque<>();
  private final ArrayDeque<Flight> flights = new ArrayDeque<>();
  private int runningPieces;
  private long runningBytes;
  private @Nullable StoreException failure;
  private @Nullable UcxRequest closing;
  private long cutOffNanos;
  private long nextExpiryNanos = System.nanoTime();

  /** A piece that the library has been given. */
  private record Piece(
      UcxTransfer transfer,
      UcxRequest request,
      @Nullable MemorySegment stage,
      MemorySegment local,
      long expiryNanos) {}

  /** The pieces of one pass, and the flush behind them if any is a put. */
  private static final class Flight {
    final List<Piece> pieces = new ArrayList<>();
    @Nullable UcxRequest flush;
  }

  UcxPeer(long number, UcxEndpoint endpoint, UcxStages stages, long operationNanos) {
    this.number = number;
    this.endpoint = endpoint;
    this.stages = stages;
    this.operationNanos = operationNanos;
  }

  /** The number of the peer's worker. */
  long number() {
    return number;
  }

  UcxEndpoint endpoint() {
    return endpoint;
  }

  boolean failing() {
    return failure != null;
  }

  void add(UcxWindow window) {
    windows.add(window);
  }

  void forget(UcxWindow window) {
    windows.remove(window);
  }

  /** Queues a transfer. */
  void submit(UcxTransfer transfer) {
    StoreException broken = failure;
    if (broken != null) {
      transfer.fail(broken);
    } else {
      (transfer.bytes() <= SMALL_BYTES ? small : bulk).add(transfer);
    }
  }

  /** True when something waits or is under way. */
  boolean busy() {
    return !small.isEmpty() || !bulk.isEmpty() || !flights.isEmpty();
  }

  /**
   * Starts pieces, sees which have ended, and which took too long.
   *
   * @return true when any was started or has ended, so that others may start at once. A pass starts
   *     only so many, and where the library copies they have ended before the pass has: no event
   *     will tell that the next can go
   */
  boolean turn(long nowNanos) {
    String broken = endpoint.failure();
    if (broken != null && failure == null) {
      fail("the connection to the peer broke: " + broken);
    }
    boolean moved = failure == null && post(nowNanos);
    moved |= poll();
    expire(nowNanos);
    return moved;
  }

  /** Starts what a pass may; true when that is anything. */
  private boolean post(long nowNanos) {
    Flight flight = null;
    boolean puts = false;
    long pass = 0;
    while (failure == null
        && runningPieces < MAX_PIECES
        && runningBytes < MAX_BYTES
        && pass < PASS_BYTES) {
      ArrayDeque<UcxTransfer> queue = small.isEmpty() ? bulk : small;
      UcxTransfer transfer = queue.peek();
      if (transfer == null) {
        break;
      }
      StoreException refused = refusal(transfer, nowNanos);
      if (refused != null || !transfer.hasNext()) {
        queue.remove();
        if (refused != null) {
          transfer.fail(refused);
        }
        continue;
      }
      MemorySegment stage = null;
      if (transfer.onHeap()) {
        stage = stages.take();
        if (stage == null) {
          break; // Until a piece that has one ends.
        }
      }
      queue.remove();
      Piece piece = start(transfer, stage, nowNanos);
      if (piece == null) {
        continue; // It failed, and has told its caller.
      }
      if (flight == null) {
        flight = new Flight();
        flights.add(flight);
      }
      flight.pieces.add(piece);
      puts |= transfer.put();
      pass += piece.local.byteSize();
      if (transfer.hasNext()) {
        queue.add(transfer);
      }
    }
    if (flight != null && puts && failure == null) {
      try {
        flight.flush = endpoint.flush();
      } catch (IllegalStateException | UcxException e) {
        fail("the connection to the peer broke: " + e.getMessage());
      }
    }
    return flight != null;
  }

  private static @Nullable StoreException refusal(UcxTransfer transfer, long nowNanos) {
    Refusal refusal = transfer.window().refusal();
    if (refusal != Refusal.NONE) {
      return refusal.exception();
    }
    return nowNanos - transfer.deadlineNanos() >= 0
        ? new StoreException(ErrorCode.LEASE_EXPIRED)
        : null;
  }

  private @Nullable Piece start(
      UcxTransfer transfer, @Nullable MemorySegment stage, long nowNanos) {
    MemorySegment local = transfer.nextBytes();
    MemorySegment bytes = local;
    if (stage != null) {
      bytes = stage.asSlice(0, local.byteSize());
      if (transfer.put()) {
        bytes.copyFrom(local);
      }
    }
    UcxWindow window = transfer.window();
    UcxRequest request;
    try {
      request =
          transfer.put()
              ? endpoint.put(bytes, window.key(), transfer.nextOffset())
              : endpoint.get(bytes, window.key(), transfer.nextOffset());
    } catch (IllegalArgumentException e) {
      giveBack(stage);
      transfer.fail(new StoreException(ErrorCode.TRANSFER_FAIL, String.valueOf(e.getMessage())));
      return null;
    } catch (IllegalStateException e) {
      giveBack(stage);
      String reason = "the connection to the peer broke: " + e.getMessage();
      transfer.fail(new StoreException(ErrorCode.TRANSFER_FAIL, reason));
      fail(reason);
      return null;
    }
    transfer.started(local.byteSize());
    window.started();
    runningPieces++;
    runningBytes += local.byteSize();
    long left = Math.min(transfer.deadlineNanos() - nowNanos, operationNanos);
    return new Piece(transfer, request, stage, local, nowNanos + left);
  }

  private void giveBack(@Nullable MemorySegment stage) {
    if (stage != null) {
      stages.giveBack(stage);
    }
  }

  /** Sees which pieces have ended; true when any has. */
  private boolean poll() {
    boolean ended = false;
    for (Iterator<Flight> all = flights.iterator(); all.hasNext(); ) {
      Flight flight = all.next();
      UcxRequest flush = flight.flush;
      boolean flushed = flush == null || flush.poll();
      String lost = flush == null ? null : flush.failure();
      for (Iterator<Piece> pieces = flight.pieces.iterator(); pieces.hasNext(); ) {
        Piece piece = pieces.next();
        if (piece.request.poll() && (flushed || !piece.transfer.put())) {
          pieces.remove();
          end(piece, piece.transfer.put() ? lost : null);
          ended = true;
        }
      }
      if (flushed && flight.pieces.isEmpty()) {
        all.remove();
      }
    }
    return ended;
  }

  private void end(Piece piece, @Nullable String lost) {
    runningPieces--;
    runningBytes -= piece.local.byteSize();
    String broken = piece.request.failure() != null ? piece.request.failure() : lost;
    // A put that was cut off before its flush is not known to be at the peer.
    StoreException cause = broken == null && piece.transfer.put() ? failure : null;
    if (broken != null) {
      cause =
          failure != null
              ? failure
              : new StoreException(
                  ErrorCode.TRANSFER_FAIL, "the transfer to the peer failed: " + broken);
    }
    MemorySegment stage = piece.stage;
    if (stage != null) {
      if (cause == null && !piece.transfer.put()) {
        piece.local.copyFrom(stage.asSlice(0, piece.local.byteSize()));
      }
      stages.giveBack(stage);
    }
    piece.transfer.ended(cause);
    piece.transfer.window().ended();
    if (broken != null && failure == null) {
      fail("the connection to the peer broke: " + broken);
    }
  }

  private void expire(long nowNanos) {
    if (nowNanos - nextExpiryNanos < 0) {
      return;
    }
    nextExpiryNanos = nowNanos + EXPIRY_NANOS;
    expire(small, nowNanos);
    expire(bulk, nowNanos);
    boolean late = false;
    for (Flight flight : flights) {
      for (Piece piece : flight.pieces) {
        if (nowNanos - piece.expiryNanos >= 0) {
          late = true;
          boolean deadline = nowNanos - piece.transfer.deadlineNanos() >= 0;
          piece.transfer.fail(
              deadline
                  ? new StoreException(ErrorCode.LEASE_EXPIRED)
                  : new StoreException(
                      ErrorCode.TRANSFER_FAIL,
                      "the peer did not answer in time: try another replica"));
        }
      }
    }
    if (late && failure == null) {
      // What is under way can be stopped in no other way.
      fail("the peer did not answer in time: try another replica");
    }
  }

  private static void expire(ArrayDeque<UcxTransfer> queue, long nowNanos) {
    for (Iterator<UcxTransfer> i = queue.iterator(); i.hasNext(); ) {
      UcxTransfer transfer = i.next();
      if (nowNanos - transfer.deadlineNanos() >= 0) {
        i.remove();
        transfer.fail(new StoreException(ErrorCode.LEASE_EXPIRED));
      }
    }
  }

  /** Closes the endpoint, so that what is under way ends; what waits fails. */
  void fail(String reason) {
    if (failure != null) {
      return;
    }
    StoreException cause = new StoreException(ErrorCode.TRANSFER_FAIL, reason);
    failure = cause;
    cutOffNanos = System.nanoTime() + CUT_OFF_NANOS;
    List.copyOf(windows).forEach(UcxWindow::broken);
    closing = endpoint.close();
    for (ArrayDeque<UcxTransfer> queue : List.of(small, bulk)) {
      for (UcxTransfer t = queue.poll(); t != null; t = queue.poll()) {
        t.fail(cause);
      }
    }
  }

  /** Ends its use in order: windows leave as soon as nothing of theirs is under way. */
  void leave() {
    List.copyOf(windows).forEach(UcxWindow::leave);
  }

  /** True when nothing is left of it, and the endpoint is closed. */
  boolean over() {
    if (busy() || (failure == null && !windows.isEmpty())) {
      return false;
    }
    if (closing == null) {
      closing = endpoint.close();
      cutOffNanos = System.nanoTime() + CUT_OFF_NANOS;
    }
    return closing.poll();
  }

  /** True when what is under way does not end although the endpoint is closed. */
  boolean stuck(long nowNanos) {
    return closing != null && nowNanos - cutOffNanos >= 0 && !over();
  }

  /** The worker is closed, and all requests have ended with it. */
  void workerClosed(String reason) {
    fail(reason);
    poll();
  }
}
