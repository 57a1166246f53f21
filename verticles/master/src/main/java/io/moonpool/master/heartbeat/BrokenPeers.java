package io.moonpool.master.heartbeat;

import io.moonpool.master.loop.LoopCounter;
import io.moonpool.protocol.frame.LogGate;
import io.netty.channel.Channel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers of the heartbeat port that lose their connections for what they do. Each is counted; one a
 * second is logged, so that they cannot have the loop do more than close them. The reserved loop;
 * counters are read by any thread.
 */
final class BrokenPeers {
  private static final Logger LOG = LoggerFactory.getLogger(BrokenPeers.class);

  private final LoopCounter malformed = new LoopCounter();
  private final LogGate logGate = new LogGate();

  /** It sent bytes that begin none of the port's frames. */
  void sentSomethingElse(Channel peer) {
    malformed.increment();
    log(peer, "it sent something that is no ping of this version");
  }

  /** Answers to it wait in its socket, and it sends more pings. */
  void readsNoAnswers(Channel peer) {
    log(peer, "it does not read its answers");
  }

  private void log(Channel peer, String reason) {
    long suppressed = logGate.tryPass(System.nanoTime());
    if (suppressed >= 0) {
      LOG.warn(
          "closing heartbeat connection of {}: {} ({} such lines left out)",
          peer.remoteAddress(),
          reason,
          suppressed);
    }
  }

  /** Connections that were closed for bytes that begin no frame. */
  long malformed() {
    return malformed.get();
  }
}
