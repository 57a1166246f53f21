package io.moonpool.bench.heartbeat;

import io.moonpool.protocol.heartbeat.PingStatus;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** How a ping goes to a port and its answer comes back. Belongs to one client's thread. */
sealed interface PingExchange permits HeartbeatPortExchange, MainPortExchange {
  /**
   * Sends a ping and waits for its answer.
   *
   * @throws IOException when the connection ends, or brings something else
   */
  PingStatus ping(InputStream in, OutputStream out) throws IOException;

  /** Reads so many bytes, no fewer. */
  static void read(InputStream in, byte[] into, int count) throws IOException {
    if (in.readNBytes(into, 0, count) < count) {
      throw new EOFException("closed");
    }
  }
}
