package io.moonpool.transfer;

import io.moonpool.ucx.UcxEndpoint;
import io.moonpool.ucx.UcxException;
import io.moonpool.ucx.UcxRemoteKey;
import io.moonpool.ucx.UcxWorker;
import io.netty.channel.EventLoop;
import io.vertx.core.Promise;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The peers whose segments this process puts to and gets from. Belongs to the loop that asks. */
final class UcxPeers implements UcxLoop.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(UcxPeers.class);

  /** How soon deadlines are looked at while something is under way. */
  private static final int BUSY_SLEEP_MILLIS = 5;

  /** How long a loop that is to end waits for what is under way. */
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final TransferConfig config;
  private final boolean errorHandling;
  private final Map<Long, UcxPeer> peers = new HashMap<>();
  private final UcxStages stages = new UcxStages();
  private @Nullable UcxLoop loop;
  private @Nullable UcxWorker worker;
  private long stopNanos;

  UcxPeers(TransferConfig config, boolean errorHandling) {
    this.config = config;
    this.errorHandling = errorHandling;
  }

  /** Names the loop that runs this duty, before it runs. */
  void ranBy(UcxLoop running) {
    loop = running;
  }

  /**
   * Opens a window and reads a byte through it, so that what does not work shows now.
   *
   * @param opened fails with an {@link IOException} when UCX does not lead there
   */
  void open(
      UUID segmentId,
      UcxTicket ticket,
      UcxHandshake handshake,
      EventLoop callersLoop,
      Promise<UcxWindow> opened) {
    UcxWindow window;
    try {
      UcxPeer peer = peer(ticket);
      UcxRemoteKey key = peer.endpoint().unpack(ticket.key(), ticket.base(), ticket.bytes());
      window = new UcxWindow(segmentId, ticket.bytes(), peer, key, handshake);
      peer.add(window);
    } catch (UcxException | IllegalStateException e) {
      handshake.close();
      opened.tryFail(new IOException("UCX does not lead to the peer: " + e.getMessage()));
      return;
    }
    MemorySegment oneByte = Arena.ofAuto().allocate(1);
    window
        .peer()
        .submit(
            new UcxTransfer(
                false,
                oneByte,
                window,
                0,
                System.nanoTime() + config.connectTimeout().toNanos(),
                callersLoop,
                (nothing, failure) -> {
                  if (failure == null) {
                    opened.tryComplete(window);
                  } else {
                    execute(window::leave);
                    opened.tryFail(
                        new IOException("UCX does not lead to the peer: " + failure.getMessage()));
                  }
                }));
  }

  private void execute(Runnable action) {
    UcxLoop running = loop;
    if (running != null) {
      running.execute(action, () -> {});
    }
  }

  private UcxPeer peer(UcxTicket ticket) {
    UcxPeer known = peers.get(ticket.worker());
    if (known != null && !known.failing()) {
      return known;
    }
    UcxWorker current = worker;
    if (current == null || known != null) {
      throw new IllegalStateException("the connection to the peer is being closed: try again");
    }
    UcxPeer peer =
        new UcxPeer(
            ticket.worker(),
            connect(current, ticket.address()),
            stages,
            config.operationTimeout().toNanos());
    peers.put(ticket.worker(), peer);
    return peer;
  }

  private UcxEndpoint connect(UcxWorker current, byte[] address) {
    try {
      return current.connect(address, errorHandling);
    } catch (UcxException e) {
      if (!errorHandling || !e.unreachable()) {
        throw e;
      }
      // Only transports within the machine lead there: the connection tells when the peer is gone.
      return current.connect(address, false);
    }
  }

  /** Starts a transfer. */
  void submit(UcxTransfer transfer) {
    transfer.window().peer().submit(transfer);
  }

  /** The owner wants a window back. */
  void revoked(UcxWindow window) {
    window.leave();
  }

  /** The connection that stands for a window is closed. */
  void closed(UcxWindow window) {
    if (!window.gone()) {
      // The owner is dead, or has fenced us off: nothing that is under way will be answered.
      window.peer().fail("the peer is gone, or withdrew the segment during the transfer");
    }
  }

  @Override
  public void opened(UcxWorker opened) {
    worker = opened;
    for (UcxPeer peer : List.copyOf(peers.values())) {
      peer.workerClosed("the connection to the peer did not close in time");
    }
    peers.clear();
  }

  @Override
  public int turn(long nowNanos) {
    boolean again = false;
    boolean busy = false;
    boolean stuck = false;
    boolean over = false;
    for (UcxPeer peer : peers.values()) {
      again |= peer.turn(nowNanos);
      busy |= peer.busy() || peer.failing();
      stuck |= peer.stuck(nowNanos);
      over |= peer.over();
    }
    if (over) {
      peers.values().removeIf(UcxPeer::over);
    }
    UcxLoop running = loop;
    if (stuck && running != null) {
      LOG.warn("a connection of ucx does not end: all of them are made anew");
      running.renew();
    }
    if (again) {
      return AGAIN;
    }
    return busy ? BUSY_SLEEP_MILLIS : UcxLoop.MAX_SLEEP_MILLIS;
  }

  @Override
  public void stalled() {
    // Deadlines are looked at in the turn that follows.
  }

  @Override
  public boolean stopping(long nowNanos) {
    if (stopNanos == 0) {
      stopNanos = nowNanos + STOP_NANOS;
    }
    peers.values().forEach(UcxPeer::leave);
    return peers.isEmpty() || nowNanos - stopNanos >= 0;
  }

  @Override
  public void ended() {
    for (UcxPeer peer : List.copyOf(peers.values())) {
      peer.workerClosed("the transport is closed");
    }
    peers.clear();
    worker = null;
  }
}
