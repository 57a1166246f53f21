package io.moonpool.client;

import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.HelloAnswer;
import io.vertx.core.Future;

/** The master as the client's parts see it. Call on the client's loop; answers arrive there. */
interface MasterCalls {
  /**
   * Asks the master. Fails with RPC_FAIL when it cannot be reached, RPC_TIMEOUT when it does not
   * answer in time, or its own error.
   */
  <Q, R> Future<R> call(Call<Q, R> call, Q request);

  /** What the master said about itself when it was last connected. */
  HelloAnswer master();
}
