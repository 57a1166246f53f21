package io.moonpool.transfer;

import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class TlsConformanceTest extends TransferConformance {
  private static PfxOptions store;

  /** A key pair with a certificate of its own for both sides. */
  @BeforeAll
  static void makeCertificate(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "moonpool",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                "password",
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new AssertionError("keytool failed");
    }
    byte[] bytes = java.nio.file.Files.readAllBytes(file);
    store =
        new PfxOptions()
            .setPassword("password")
            .setValue(io.vertx.core.buffer.Buffer.buffer(bytes));
  }

  private static TransferTls tls() {
    return new TransferTls(store, store, true, true);
  }

  @Override
  String transport() {
    return "tcp";
  }

  @Override
  TransferConfig node() {
    return TransferConfig.node("127.0.0.1", 0).withTls(tls());
  }

  @Override
  TransferConfig client() {
    return TransferConfig.client().withTransports(List.of("tcp")).withTls(tls());
  }

  @Override
  long largestBytes() {
    return 5L << 20;
  }
}
