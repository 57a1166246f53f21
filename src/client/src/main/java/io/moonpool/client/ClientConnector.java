package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Puts a client together. */
final class ClientConnector {
  private ClientConnector() {}

  static Future<MoonpoolClient> connect(Vertx vertx, ClientOptions options) {
    return vertx
        .createNetClient()
        .connect(options.masterPort(), options.masterHost())
        .transform(
            connected ->
                Future.failedFuture(
                    connected.failed()
                        ? new StoreException(
                            ErrorCode.RPC_FAIL,
                            "no master at "
                                + options.masterHost()
                                + ":"
                                + options.masterPort()
                                + ": "
                                + connected.cause().getMessage())
                        : new StoreException(ErrorCode.NOT_SUPPORTED)));
  }
}
