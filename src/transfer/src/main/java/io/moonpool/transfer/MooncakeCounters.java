package io.moonpool.transfer;

import java.util.concurrent.atomic.LongAdder;

/**
 * What this process has done for clients of Mooncake since it started. Striped counters: cheap to
 * add to from any thread, read by metrics.
 */
public final class MooncakeCounters {
  final LongAdder handshakes = new LongAdder();
  final LongAdder writes = new LongAdder();
  final LongAdder writtenBytes = new LongAdder();
  final LongAdder reads = new LongAdder();
  final LongAdder readBytes = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder malformed = new LongAdder();

  MooncakeCounters() {}

  /** Handshakes that were answered. */
  public long handshakes() {
    return handshakes.sum();
  }

  /** Writes of which all bytes came. */
  public long writes() {
    return writes.sum();
  }

  /** Bytes of those writes. */
  public long writtenBytes() {
    return writtenBytes.sum();
  }

  /** Reads of which all bytes were sent. */
  public long reads() {
    return reads.sum();
  }

  /** Bytes of those reads. */
  public long readBytes() {
    return readBytes.sum();
  }

  /** Reads and writes of addresses that nothing is served at, or at no longer. */
  public long rejected() {
    return rejected.sum();
  }

  /** Connections that were closed, since they sent what is no handshake or no request. */
  public long malformed() {
    return malformed.sum();
  }
}
