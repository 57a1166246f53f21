package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.PingWay;

/** In whose calls the load speaks to the main port. */
public enum CallProtocol {
  /** Moonpool's own. */
  FRAMES(PingWay.HEARTBEAT_PORT),
  /** Those of Mooncake's clients, who lend the memory then, too. */
  MOONCAKE(PingWay.MOONCAKE);

  private final PingWay lenders;

  CallProtocol(PingWay lenders) {
    this.lenders = lenders;
  }

  /** What the clients are that lend memory: each protocol reaches memory of its own only. */
  PingWay lenders() {
    return lenders;
  }
}
