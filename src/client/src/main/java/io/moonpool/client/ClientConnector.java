package io.moonpool.client;

import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.TransferTls;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts a client together. */
final class ClientConnector {
  private ClientConnector() {}

  /** A client with transports of its own. */
  static Future<MoonpoolClient> connect(Vertx vertx, ClientOptions options) {
    TransferConfig config = TransferConfig.client().withTransports(options.transports());
    if (options.dataTls()) {
      config = config.withTls(new TransferTls(null, trust(options), false, true));
    }
    return Transports.start(vertx, config)
        .compose(
            transports ->
                connect(vertx, options, transports, transports::close)
                    .onFailure(failed -> transports.close()));
  }

  /**
   * A client that uses given transports.
   *
   * @param closing closes what was opened for the client
   */
  static Future<MoonpoolClient> connect(
      Vertx vertx, ClientOptions options, Transports transports, Supplier<Future<Void>> closing) {
    ClientLoop loop = ClientLoop.of(vertx);
    return loop.call(
        () -> {
          MasterLink link = new MasterLink(vertx, frameOptions(options), options.name());
          ClientCore core = new ClientCore(vertx, options, loop, link, transports);
          link.onOtherMaster(core::masterChanged);
          MoonpoolClient client =
              new StoreClient(
                  core, options, () -> link.close().eventually(closing).eventually(core::close));
          return link.connect()
              .map(client)
              .onFailure(failed -> link.close().eventually(core::close));
        });
  }

  private static FrameClientOptions frameOptions(ClientOptions options) {
    return frameOptions(
        options, options.masterHost(), options.masterPort(), !options.tlsCa().isEmpty());
  }

  /** How a node is asked about what is on its disk. */
  static FrameClientOptions nodeOptions(ClientOptions options, String host, int port) {
    return frameOptions(options, host, port, options.dataTls());
  }

  private static FrameClientOptions frameOptions(
      ClientOptions options, String host, int port, boolean tls) {
    NetClientOptions net = new NetClientOptions();
    if (tls) {
      net.setSsl(true).setHostnameVerificationAlgorithm("HTTPS").setTrustOptions(trust(options));
    }
    FrameClientOptions base = FrameClientOptions.of(host, port);
    return new FrameClientOptions(
        base.host(),
        base.port(),
        net,
        base.limits(),
        options.requestTimeoutMillis(),
        Math.toIntExact(Math.min(options.connectTimeoutMillis(), Integer.MAX_VALUE)));
  }

  private static @Nullable TrustOptions trust(ClientOptions options) {
    return options.tlsCa().isEmpty() ? null : new PemTrustOptions().addCertPath(options.tlsCa());
  }
}
