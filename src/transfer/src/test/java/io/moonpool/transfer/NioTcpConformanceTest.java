package io.moonpool.transfer;

/** The same over the JDK's selector instead of epoll. */
class NioTcpConformanceTest extends TcpConformanceTest {
  @Override
  boolean nativeTransport() {
    return false;
  }

  @Override
  long largestBytes() {
    return 5L << 20;
  }
}
