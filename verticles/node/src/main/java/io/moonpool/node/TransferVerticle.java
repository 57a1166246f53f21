package io.moonpool.node;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.TransferTls;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Serves this node's memory to peers, through shared memory and tcp. The transports' own event
 * loops do the work; this verticle opens and closes them.
 */
final class TransferVerticle extends VerticleBase {
  private final NodeConfig config;
  private @Nullable Transports transports;

  TransferVerticle(NodeConfig config) {
    this.config = config;
  }

  @Override
  public Future<?> start() {
    TransferConfig transfer =
        TransferConfig.client()
            .withTransports(config.transports())
            .serving(config.dataHost(), config.dataPort(), config.effectiveDataHost());
    if (config.dataTls()) {
      transfer = transfer.withTls(tls());
    }
    return Transports.start(vertx, transfer)
        .onSuccess(started -> transports = started)
        .recover(failure -> Future.failedFuture(explain(failure)));
  }

  /** What cannot be listened on is named by its settings. */
  private Throwable explain(Throwable failure) {
    return failure instanceof IOException
        ? new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
            "the tcp transport cannot listen on "
                + config.dataHost()
                + ":"
                + config.dataPort()
                + ": "
                + failure.getMessage()
                + "; data_host must be an address of this machine, and data_port free, or 0 for any"
                + " free one")
        : failure;
  }

  private TransferTls tls() {
    PemKeyCertOptions key =
        new PemKeyCertOptions().addCertPath(config.tlsCert()).addKeyPath(config.tlsKey());
    PemTrustOptions trust =
        config.masterTlsCa().isEmpty()
            ? null
            : new PemTrustOptions().addCertPath(config.masterTlsCa());
    return new TransferTls(key, trust, false, true);
  }

  /** The transports, once this is deployed. */
  Transports transports() {
    Transports started = transports;
    if (started == null) {
      throw new IllegalStateException("not deployed");
    }
    return started;
  }

  @Override
  public Future<?> stop() {
    Transports started = transports;
    return started == null ? Future.succeededFuture() : started.close();
  }
}
