package io.moonpool.app.command.bench.heartbeat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that fills the heap with garbage at a steady rate, so that the collector works. */
final class Garbage {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int KEPT = 256;

  private Garbage() {}

  static void make(int mebibytesPerSecond) {
    long pieces = ((long) mebibytesPerSecond << 20) / PIECE_BYTES;
    long periodNanos = TimeUnit.SECONDS.toNanos(1) / pieces;
    Thread.ofPlatform().daemon().name("garbage").start(() -> run(periodNanos));
  }

  private static void run(long periodNanos) {
    byte[][] kept = new byte[KEPT][];
    long next = System.nanoTime();
    for (int i = 0; ; i++) {
      // Some of it survives its first collections.
      kept[i % KEPT] = new byte[PIECE_BYTES];
      next += periodNanos;
      long ahead = next - System.nanoTime();
      if (ahead > TimeUnit.MILLISECONDS.toNanos(1)) {
        LockSupport.parkNanos(ahead);
      }
    }
  }
}
