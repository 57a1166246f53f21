package io.moonpool.master.request;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for {@code localhost} and 127.0.0.1 that signs itself, made by the JDK's own tool
 * for this test run.
 *
 * @param certificate a PEM file
 * @param key a PEM file
 */
public record TestCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  /** Makes one in that folder. */
  public static TestCertificate create(Path folder) {
    try {
      Path store = folder.resolve("test.p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=localhost",
                  "-ext",
                  "SAN=dns:localhost,ip:127.0.0.1",
                  "-validity",
                  "2",
                  "-alias",
                  "test",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  PASSWORD)
              .redirectErrorStream(true)
              .start();
      String output = new String(keytool.getInputStream().readAllBytes());
      if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new AssertionError("keytool failed: " + output);
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(new ByteArrayInputStream(Files.readAllBytes(store)), PASSWORD.toCharArray());
      PrivateKey key = (PrivateKey) keys.getKey("test", PASSWORD.toCharArray());
      return new TestCertificate(
          pem(folder.resolve("cert.pem"), "CERTIFICATE", keys.getCertificate("test").getEncoded()),
          pem(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | InterruptedException e) {
      throw new AssertionError("no certificate", e);
    }
  }

  private static Path pem(Path file, String type, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }
}
