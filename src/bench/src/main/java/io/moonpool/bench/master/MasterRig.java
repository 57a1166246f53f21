package io.moonpool.bench.master;

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

  /** A load of frames. */
  ClosedLoop load(
      MasterUnderTest master, int clients, Operation.Kind kind, IntFunction<KeyBatches> keys) {
    return new ClosedLoop(
        vertx, clients, () -> kind.over(new FrameOperations(vertx, master)), keys);
  }
}
