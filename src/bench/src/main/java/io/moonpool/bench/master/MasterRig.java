package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * What all measurements of one run use.
 *
 * @param vertx of the clients
 * @param settings of the run
 * @param starter starts masters
 * @param progress is told what goes on, in sentences
 */
record MasterRig(
    Vertx vertx, MasterSettings settings, MasterStarter starter, Consumer<String> progress) {
  /** Clients that lend memory where their number does not matter. */
  static final int LENDERS = 4;

  /** Clients of the protocol of the settings lend the memory of a pool. Blocks. */
  Lenders lenders(MasterUnderTest master, HeartbeatPool pool) throws InterruptedException {
    return Lenders.join(vertx, master, pool, settings.protocol().lenders());
  }

  /** The operations in the protocol of the settings; call on the event loop that they run on. */
  Operation.Calls calls(MasterUnderTest master) {
    return switch (settings.protocol()) {
      case FRAMES -> new FrameOperations(vertx, master);
      case MOONCAKE -> new MooncakeOperations(vertx, master);
    };
  }

  /** A load in the protocol of the settings. */
  ClosedLoop load(
      MasterUnderTest master, int clients, Operation.Kind kind, IntFunction<KeyBatches> keys) {
    return new ClosedLoop(vertx, clients, () -> kind.over(calls(master)), keys);
  }
}
