package io.moonpool.master.heartbeat;

import io.moonpool.master.MooncakeConfig;
import io.moonpool.protocol.heartbeat.MooncakePingFrame;
import io.netty.buffer.ByteBuf;

/**
 * What the heartbeat port needs to answer the frames of Mooncake's clients; shared by its
 * connections, immutable. The reserved loop.
 */
final class MooncakePings {
  private final ClientsById clients;
  private final byte[] namedVersion;
  private final byte[] shortVersion;
  private final boolean served;

  MooncakePings(MooncakeConfig config, ClientsById clients) {
    this.clients = clients;
    this.served = config.enabled();
    this.namedVersion = MooncakePingFrame.serviceReadyAnswer(config.version(), true);
    this.shortVersion = MooncakePingFrame.serviceReadyAnswer(config.version(), false);
  }

  /** Whether they are answered at all. */
  boolean served() {
    return served;
  }

  ClientsById clients() {
    return clients;
  }

  /** The longest answer there is. */
  int longestAnswer() {
    return Math.max(MooncakePingFrame.PING_ANSWER_BYTES, namedVersion.length);
  }

  /** Writes the answer to ServiceReady. */
  void writeVersion(ByteBuf out, int sequence, boolean named) {
    MooncakePingFrame.writeServiceReady(out, named ? namedVersion : shortVersion, sequence);
  }
}
