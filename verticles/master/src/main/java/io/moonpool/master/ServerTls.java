package io.moonpool.master;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.File;
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
    if (!config.tls()) {
      return new ServerTls(new NetServerOptions(), null);
    }
    File certificate = file("tls_cert", config.tlsCert());
    File key = file("tls_key", config.tlsKey());
    try {
      return new ServerTls(
          new NetServerOptions()
              .setSsl(true)
              .setKeyCertOptions(
                  new PemKeyCertOptions()
                      .setCertPath(certificate.getPath())
                      .setKeyPath(key.getPath())),
          SslContextBuilder.forServer(certificate, key).build());
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "tls_cert and tls_key must name PEM files that belong together: " + e.getMessage(), e);
    }
  }

  private static File file(String setting, String path) {
    File file = new File(path);
    if (!file.canRead()) {
      throw new IllegalArgumentException(setting + " must name a readable file, but is " + path);
    }
    return file;
  }
}
