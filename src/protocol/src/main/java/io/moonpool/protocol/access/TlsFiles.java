package io.moonpool.protocol.access;

import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The certificate and the key of a TLS port, both as PEM files.
 *
 * @param certificate the server's certificate, followed by its chain
 * @param key its private key, PKCS#8 or PKCS#1, not encrypted
 */
public record TlsFiles(Path certificate, Path key) {
  /**
   * The files that two configuration values name: none when both are empty.
   *
   * @throws IllegalArgumentException when only one is given, or one cannot be read
   */
  public static Optional<TlsFiles> of(String certificate, String key) {
    if (certificate.isEmpty() && key.isEmpty()) {
      return Optional.empty();
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      throw new IllegalArgumentException(
          "tls_cert and tls_key belong together: give both files, or neither for plain text");
    }
    return Optional.of(new TlsFiles(readable("tls_cert", certificate), readable("tls_key", key)));
  }

  private static Path readable(String setting, String file) {
    Path path = Path.of(file);
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      throw new IllegalArgumentException(
          setting + ": " + path.toAbsolutePath() + " is not a file that this process can read");
    }
    return path;
  }

  /** For {@code setKeyCertOptions} of any Vert.x server. */
  public PemKeyCertOptions keyCertOptions() {
    return new PemKeyCertOptions().addCertPath(certificate.toString()).addKeyPath(key.toString());
  }
}
