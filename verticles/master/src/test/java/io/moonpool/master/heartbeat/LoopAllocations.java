package io.moonpool.master.heartbeat;

import io.moonpool.master.loop.MasterLoop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;

/** How much the thread of a loop allocates. */
final class LoopAllocations {
  /** Less than any object has. The clock's timer allocates a few hundred bytes a tick. */
  static final double MOST_BYTES_A_PING = 12;

  private static final int PINGS = 20_000;
  private static final int ROUNDS = 20;

  /** Something that the loop answers. */
  interface Exchange {
    void run() throws IOException;
  }

  private LoopAllocations() {}

  /**
   * The bytes that an exchange allocates once its code is compiled, in the best of several rounds:
   * what is interpreted allocates what compiled code does not, and when it is compiled is chance.
   */
  static double perExchange(MasterLoop loop, Exchange exchange) throws Exception {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    CompletableFuture<Long> id = new CompletableFuture<>();
    loop.eventLoop().execute(() -> id.complete(Thread.currentThread().threadId()));
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least >= MOST_BYTES_A_PING; round++) {
      long before = threads.getThreadAllocatedBytes(id.get());
      for (int i = 0; i < PINGS; i++) {
        exchange.run();
      }
      long allocated = threads.getThreadAllocatedBytes(id.get()) - before;
      least = Math.min(least, (double) allocated / PINGS);
    }
    return least;
  }
}
