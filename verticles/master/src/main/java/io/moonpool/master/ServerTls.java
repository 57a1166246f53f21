package io.moonpool.master;

import io.moonpool.protocol.access.TlsFiles;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.net.NetServerOptions;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the main and the heartbeat port.
 *
 * @param serverOptions for servers of Vert.x; empty without TLS
 * @param nettyContext for servers without Vert.x; null without TLS
 */
record ServerTls(NetServerOptions serverOptions, @Nullable SslContext nettyContext) {
  /**
   * What a configuration asks for. Reads its files.
   *
   * @throws IllegalArgumentException names the setting whose file cannot be used
   */
  static ServerTls of(MasterConfig config) {
    Optional<TlsFiles> given = TlsFiles.of(config.tlsCert(), config.tlsKey());
    if (given.isEmpty()) {
      return new ServerTls(new NetServerOptions(), null);
    }
    TlsFiles files = given.get();
    try {
      return new ServerTls(
          new NetServerOptions().setSsl(true).setKeyCertOptions(files.keyCertOptions()),
          SslContextBuilder.forServer(files.certificate().toFile(), files.key().toFile()).build());
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "tls_cert and tls_key must name PEM files that belong together: " + e.getMessage(), e);
    }
  }
}
