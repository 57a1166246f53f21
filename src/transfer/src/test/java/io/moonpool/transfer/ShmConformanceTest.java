package io.moonpool.transfer;

import java.util.List;

class ShmConformanceTest extends TransferConformance {
  @Override
  String transport() {
    return "shm";
  }

  @Override
  TransferConfig node() {
    return TransferConfig.node("127.0.0.1", 0);
  }

  @Override
  TransferConfig client() {
    return TransferConfig.client().withTransports(List.of("shm"));
  }
}
