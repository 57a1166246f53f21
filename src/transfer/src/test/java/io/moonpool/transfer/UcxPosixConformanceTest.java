package io.moonpool.transfer;

/** Over UCX's shared memory, where a put is a copy by the thread that asks. */
class UcxPosixConformanceTest extends UcxTcpConformanceTest {
  @Override
  String tls() {
    return "posix,self";
  }
}
