package io.moonpool.transfer;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** Over UCX's emulation of one-sided accesses on TCP, where the owner's thread takes part. */
class UcxTcpConformanceTest extends TransferConformance {
  /** Without the library these tests are skipped, and say why. */
  @BeforeAll
  static void requireLibrary() {
    RunningLoop.requireLibrary();
  }

  /** The library's transports. */
  String tls() {
    return "tcp,self";
  }

  @Override
  String transport() {
    return "ucx";
  }

  @Override
  TransferConfig node() {
    return TransferConfig.node("127.0.0.1", 0)
        .withTransports(List.of("ucx", "tcp"))
        .withUcx(new UcxOptions(tls(), Duration.ZERO));
  }

  @Override
  TransferConfig client() {
    return TransferConfig.client()
        .withTransports(List.of("ucx"))
        .withUcx(new UcxOptions(tls(), Duration.ofNanos(20_000)));
  }
}
