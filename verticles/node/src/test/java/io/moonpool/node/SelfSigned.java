package io.moonpool.node;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for 127.0.0.1 that signs itself, made for one test.
 *
 * @param certificate a PEM file
 * @param key a PEM file
 * @param trusting a context of clients that trust it
 */
record SelfSigned(Path certificate, Path key, SSLContext trusting) {
  private static final String PASSWORD = "changeit";

  static SelfSigned in(Path folder) throws IOException, GeneralSecurityException {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-alias",
                "node",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new AssertionError(output);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(new ByteArrayInputStream(Files.readAllBytes(store)), PASSWORD.toCharArray());
    PrivateKey key = (PrivateKey) keys.getKey("node", PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("node", keys.getCertificate("node"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new SelfSigned(
        pem(folder.resolve("node.pem"), "CERTIFICATE", keys.getCertificate("node").getEncoded()),
        pem(folder.resolve("node.key"), "PRIVATE KEY", key.getEncoded()),
        context);
  }

  private static Path pem(Path file, String type, byte[] bytes) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
  }
}
