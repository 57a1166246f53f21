package io.moonpool.app.doctor;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for 127.0.0.1 that signs itself, made for one test.
 *
 * @param certificate a PEM file
 * @param key a PEM file
 */
record SelfSigned(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  /** Makes one in that folder, with the JDK's own tool. */
  static SelfSigned in(Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options =
        "-genkeypair -keyalg EC -dname CN=master -ext SAN=ip:127.0.0.1 -alias master"
            + " -storetype PKCS12 -storepass changeit -keystore keys.p12";
    Process keytool =
        new ProcessBuilder((tool + " " + options).split(" ", -1))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new AssertionError("keytool failed: " + output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(new ByteArrayInputStream(Files.readAllBytes(store)), PASSWORD.toCharArray());
    return new SelfSigned(
        pem(folder, "CERTIFICATE", keys.getCertificate("master").getEncoded()),
        pem(folder, "PRIVATE KEY", keys.getKey("master", PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path pem(Path folder, String type, byte[] bytes) throws Exception {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(type.replace(' ', '-') + ".pem"),
        "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
  }
}
