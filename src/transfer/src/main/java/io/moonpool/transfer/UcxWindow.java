package io.moonpool.transfer;

import io.moonpool.ucx.UcxRemoteKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a peer as the loop that asks reaches it, under one generation.
 *
 * <pre>
 * state    | event                                | next
 * OPEN     | the owner wants it back, or we close | LEAVING: nothing new starts
 * OPEN     | connection or endpoint broken        | GONE
 * LEAVING  | nothing is under way any more        | GONE: the owner is told
 * LEAVING  | connection or endpoint broken        | GONE
 * </pre>
 *
 * <p>Only {@link #usable} may be asked by any thread.
 */
final class UcxWindow {
  private final UUID segmentId;
  private final long bytes;
  private final UcxPeer peer;
  private final UcxRemoteKey key;
  private final UcxHandshake handshake;
  private int running;
  private volatile @Nullable Refusal refusal;
  private boolean gone;

  UcxWindow(UUID segmentId, long bytes, UcxPeer peer, UcxRemoteKey key, UcxHandshake handshake) {
    this.segmentId = segmentId;
    this.bytes = bytes;
    this.peer = peer;
    this.key = key;
    this.handshake = handshake;
  }

  /** Bytes of the segment. */
  long bytes() {
    return bytes;
  }

  UcxPeer peer() {
    return peer;
  }

  UcxRemoteKey key() {
    return key;
  }

  /** True while transfers may start. Any thread. */
  boolean usable() {
    return refusal == null;
  }

  /** Why transfers may not start; {@link Refusal#NONE} when they may. */
  Refusal refusal() {
    Refusal known = refusal;
    return known == null ? Refusal.NONE : known;
  }

  void started() {
    running++;
  }

  void ended() {
    running--;
    leaveIfIdle();
  }

  /** Starts nothing more, and tells the owner when nothing is under way. */
  void leave() {
    if (refusal == null) {
      refusal = Refusal.WITHDRAWN;
    }
    leaveIfIdle();
  }

  private void leaveIfIdle() {
    if (refusal != null && running == 0 && !gone) {
      gone = true;
      key.close();
      handshake.leave();
      peer.forget(this);
    }
  }

  /** The way is broken: what is under way has to be cut off by who calls this. */
  void broken() {
    if (!gone) {
      gone = true;
      refusal = Refusal.WITHDRAWN;
      handshake.close();
      peer.forget(this);
    }
  }

  boolean gone() {
    return gone;
  }

  @Override
  public String toString() {
    return "window of segment " + segmentId;
  }
}
