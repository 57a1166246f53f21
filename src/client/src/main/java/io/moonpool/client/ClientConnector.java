package io.moonpool.client;

import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.transfer.TcpTransport;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Puts a client together. */
final class ClientConnector {
  private ClientConnector() {}

  /** A client with transports of its own. */
  static Future<MoonpoolClient> connect(Vertx vertx, ClientOptions options) {
    return openTransports(vertx, options.transports())
        .compose(
            transports ->
                connect(vertx, options, transports, () -> closeAll(transports))
                    .onFailure(failed -> closeAll(transports)));
  }

  /**
   * A client that uses given transports.
   *
   * @param closing closes what was opened for the client
   */
  static Future<MoonpoolClient> connect(
      Vertx vertx,
      ClientOptions options,
      List<Transport> transports,
      Supplier<Future<Void>> closing) {
    ClientLoop loop = ClientLoop.of(vertx);
    return loop.call(
        () -> {
          MasterLink link =
              new MasterLink(FrameClient.create(vertx, frameOptions(options)), options.name());
          ClientCore core = new ClientCore(vertx, options, loop, link, transports);
          link.onOtherMaster(core::masterChanged);
          MoonpoolClient client =
              new StoreClient(
                  core, options, () -> link.close().eventually(closing).eventually(core::close));
          return link.greet().map(client).onFailure(failed -> link.close().eventually(core::close));
        });
  }

  private static FrameClientOptions frameOptions(ClientOptions options) {
    NetClientOptions net = new NetClientOptions();
    if (!options.tlsCa().isEmpty()) {
      net.setSsl(true)
          .setHostnameVerificationAlgorithm("HTTPS")
          .setTrustOptions(new PemTrustOptions().addCertPath(options.tlsCa()));
    }
    FrameClientOptions base = FrameClientOptions.of(options.masterHost(), options.masterPort());
    return new FrameClientOptions(
        base.host(),
        base.port(),
        net,
        base.limits(),
        options.requestTimeoutMillis(),
        Math.toIntExact(Math.min(options.connectTimeoutMillis(), Integer.MAX_VALUE)));
  }

  private static Future<List<Transport>> openTransports(Vertx vertx, List<String> names) {
    List<Future<? extends Transport>> opening = new ArrayList<>();
    for (String name : names) {
      if (name.equals(TcpTransport.NAME)) {
        opening.add(TcpTransport.start(vertx, TransferConfig.loopback()));
      }
    }
    return Future.all(opening)
        .map(opened -> opening.stream().<Transport>map(Future::result).toList());
  }

  private static Future<Void> closeAll(List<Transport> transports) {
    return Future.join(transports.stream().map(Transport::close).toList()).mapEmpty();
  }
}
