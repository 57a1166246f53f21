package io.moonpool.app.doctor;

import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificates that a master with TLS is trusted by, for each of the ways in which it is asked.
 *
 * @param file PEM
 * @param context trusts them, and nothing else
 */
record Certificates(Path file, SSLContext context) {
  private static final String CHECK_NAMES = "HTTPS";

  /**
   * Reads them.
   *
   * @throws IOException when the file cannot be read
   * @throws GeneralSecurityException when it has no certificates
   */
  static Certificates read(Path file) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty()) {
        throw new CertificateException("it has no certificate");
      }
      for (Certificate each : all) {
        trusted.setCertificateEntry("trusted-" + trusted.size(), each);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new Certificates(file, context);
  }

  /** For a client of Vert.x. */
  NetClientOptions net() {
    return new NetClientOptions()
        .setSsl(true)
        .setHostnameVerificationAlgorithm(CHECK_NAMES)
        .setTrustOptions(new PemTrustOptions().addCertPath(file.toString()));
  }

  /**
   * Does the handshake on a connection, and checks the name.
   *
   * @throws IOException when either fails, or the socket's timeout is over
   */
  void greet(Socket connected, String host, int port) throws IOException {
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(connected, host, port, true)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm(CHECK_NAMES);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
    }
  }
}
