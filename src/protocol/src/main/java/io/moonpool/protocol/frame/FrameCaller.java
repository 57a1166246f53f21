package io.moonpool.protocol.frame;

import io.moonpool.protocol.call.Call;
import io.vertx.core.Future;

/** Makes calls. */
@FunctionalInterface
public interface FrameCaller {
  /**
   * Makes a call. The request is encoded before this returns, so its arrays may be reused.
   *
   * @return fails with a {@link io.moonpool.model.StoreException}
   */
  <Q, R> Future<R> call(Call<Q, R> call, Q request);
}
