package io.moonpool.transfer;

import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One request to the owner of a segment, and its bytes. Runs on its connection's event loop. */
final class MooncakePiece implements Outgoing {
  private final MooncakeTransfer transfer;
  private final MemorySegment local;
  private final long address;
  private long expiryNanos;
  private boolean sent;
  private boolean repeated;
  private boolean ended;

  MooncakePiece(MooncakeTransfer transfer, MemorySegment local, long address) {
    this.transfer = transfer;
    this.local = local;
    this.address = address;
    this.expiryNanos = transfer.deadlineNanos();
  }

  /**
   * It is handed to a connection.
   *
   * @param timeoutNanos how long it may take from now, if its deadline is not earlier
   */
  void begin(long nowNanos, long timeoutNanos) {
    sent = false;
    expiryNanos = nowNanos + Math.min(transfer.deadlineNanos() - nowNanos, timeoutNanos);
  }

  boolean put() {
    return transfer.put();
  }

  MemorySegment local() {
    return local;
  }

  /** True when all of the request is with the kernel. */
  boolean sent() {
    return sent;
  }

  boolean expired(long nowNanos) {
    return nowNanos - expiryNanos >= 0;
  }

  /** True when it is the deadline of the transfer that ends it, not the time that it may take. */
  boolean expiresWithTransfer() {
    return expiryNanos - transfer.deadlineNanos() >= 0;
  }

  /**
   * Whether it may be asked for on another connection: once.
   *
   * @return false when that has been done already
   */
  boolean repeat() {
    boolean first = !repeated;
    repeated = true;
    return first;
  }

  @Override
  public boolean dropped() {
    return ended;
  }

  @Override
  public void writeHeader(ByteBuf out) {
    byte opcode = put() ? MooncakeWire.WRITE : MooncakeWire.READ;
    MooncakeWire.writeHeader(out, new MooncakeWire.Header(opcode, local.byteSize(), address));
  }

  @Override
  public @Nullable MemorySegment payload() {
    return put() ? local : null;
  }

  @Override
  public void released(boolean written) {
    sent = written;
  }

  /** Nothing touches its bytes any more. */
  void end(@Nullable StoreException cause) {
    if (!ended) {
      ended = true;
      transfer.ended(cause);
    }
  }
}
