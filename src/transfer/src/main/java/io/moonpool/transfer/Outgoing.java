package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A frame on its way out. All methods run on the connection's event loop. */
interface Outgoing {
  /** True when it is no longer wanted; asked once, before its first byte is written. */
  boolean dropped();

  /** Writes the header. Called once, at the moment when the frame starts to be sent. */
  void writeHeader(ByteBuf out);

  /** The payload, null for none. */
  @Nullable MemorySegment payload();

  /**
   * Called exactly once, when the connection touches the payload no more.
   *
   * @param written false when the frame was dropped or the connection broke
   */
  void released(boolean written);
}
