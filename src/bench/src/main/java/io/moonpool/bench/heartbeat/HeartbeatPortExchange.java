package io.moonpool.bench.heartbeat;

import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Pings of the heartbeat port. */
final class HeartbeatPortExchange implements PingExchange {
  private final int slot;
  private final long incarnation;
  private final byte[] bytes = new byte[HeartbeatFrame.BYTES];
  private final ByteBuf frame = Unpooled.wrappedBuffer(bytes);
  private long sequence;

  HeartbeatPortExchange(int slot, long incarnation) {
    this.slot = slot;
    this.incarnation = incarnation;
  }

  @Override
  public PingStatus ping(InputStream in, OutputStream out) throws IOException {
    HeartbeatFrame.setPing(frame, 0, slot, incarnation, ++sequence, System.nanoTime());
    out.write(bytes);
    PingExchange.read(in, bytes, bytes.length);
    if (!HeartbeatFrame.isAnswer(frame, 0) || HeartbeatFrame.sequence(frame, 0) != sequence) {
      throw new IOException("not the answer to this ping");
    }
    return HeartbeatFrame.status(frame, 0);
  }
}
