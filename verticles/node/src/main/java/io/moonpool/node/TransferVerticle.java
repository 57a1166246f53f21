package io.moonpool.node;

import io.moonpool.node.line.ListenFailure;
import io.moonpool.transfer.MooncakePorts;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.TransferTls;
import io.moonpool.transfer.Transports;
import io.moonpool.transfer.UcxOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves this node's memory to peers, through the configured transports. Their own event loops do
 * the work; this verticle opens and closes them.
 */
final class TransferVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(TransferVerticle.class);

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
            .withUcx(
                new UcxOptions(config.ucxTls(), Duration.ofNanos(config.ucxSpinMicros() * 1_000L)))
            .serving(config.dataHost(), config.dataPort(), config.effectiveDataHost())
            .withMaxConnections(config.maxConnections());
    if (config.dataTls()) {
      transfer = transfer.withTls(tls());
    }
    if (config.servesMooncake()) {
      transfer =
          transfer.withMooncake(
              new MooncakePorts(config.mooncakePort(), config.mooncakeDataPort()));
    }
    return Transports.start(vertx, transfer)
        // In the chain: a handler of success may run after those who wait for the deployment.
        .map(
            started -> {
              transports = started;
              if (started.servesMooncake()) {
                LOG.info(
                    "clients of Mooncake are served at port {}, their data at port {}",
                    started.mooncakePorts().handshake(),
                    started.mooncakePorts().data());
              }
              return started;
            })
        .recover(
            failure ->
                Future.failedFuture(
                    ListenFailure.explained(
                        failure,
                        "the tcp transport",
                        config.dataHost(),
                        config.dataPort(),
                        "data_port")));
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
