package io.moonpool.node;

import io.moonpool.protocol.access.AccessToken;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.access.TlsFiles;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What a node needs from files and the system before it can start. Reading it blocks: for a worker.
 *
 * @param directory locked by this process
 * @param identity who the node is
 * @param httpAddress where HTTP listens
 * @param masterPort how the master's main port is reached
 * @param heartbeatTls how the heartbeat port is trusted; null for no TLS
 */
record StartContext(
    DataDirectory directory,
    NodeIdentity identity,
    AdminAddress httpAddress,
    FrameClientOptions masterPort,
    @Nullable SslContext heartbeatTls) {

  /** Opens everything, or nothing. */
  static StartContext open(NodeConfig config) throws SSLException {
    DataDirectory directory = DataDirectory.open(Path.of(config.dataDir()));
    try {
      Optional<AccessToken> token =
          config.adminToken().isEmpty()
              ? Optional.empty()
              : Optional.of(AccessToken.of(config.adminToken()));
      AdminAddress http =
          new AdminAddress(
              config.effectiveHttpHost(),
              config.httpPort(),
              token,
              TlsFiles.of(config.tlsCert(), config.tlsKey()));
      return new StartContext(
          directory,
          NodeIdentity.of(directory.nodeId(), config),
          http,
          masterPort(config),
          heartbeatTls(config));
    } catch (SSLException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static FrameClientOptions masterPort(NodeConfig config) {
    NetClientOptions net = new NetClientOptions();
    if (!config.masterTlsCa().isEmpty()) {
      net.setSsl(true)
          .setHostnameVerificationAlgorithm("HTTPS")
          .setTrustOptions(new PemTrustOptions().addCertPath(config.masterTlsCa()));
    }
    return FrameClientOptions.of(config.masterHost(), config.masterPort())
        .withNet(net)
        .withCallTimeoutMillis(config.requestTimeoutMillis());
  }

  private static @Nullable SslContext heartbeatTls(NodeConfig config) throws SSLException {
    return config.masterTlsCa().isEmpty()
        ? null
        : SslContextBuilder.forClient()
            .trustManager(new File(config.masterTlsCa()))
            .endpointIdentificationAlgorithm("HTTPS")
            .build();
  }

  /** The host under which others reach the HTTP port. */
  String advertisedHttpHost(NodeConfig config) {
    String host = httpAddress.host();
    return host.equals("0.0.0.0") || host.equals("::") ? config.effectiveDataHost() : host;
  }
}
