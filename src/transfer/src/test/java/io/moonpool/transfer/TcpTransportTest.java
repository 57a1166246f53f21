package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.SegmentEndpoint;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TcpTransportTest {
  @Test
  void putsAndGets() throws Exception {
    for (boolean nativeTransport : new boolean[] {true, false}) {
      Vertx a = Vertx.vertx(new VertxOptions().setPreferNativeTransport(nativeTransport));
      Vertx b = Vertx.vertx(new VertxOptions().setPreferNativeTransport(nativeTransport));
      try (AnonymousRegion region = AnonymousRegion.allocate(64 << 20);
          Arena arena = Arena.ofShared()) {
        TcpTransport server =
            TcpTransport.start(a, TransferConfig.loopback()).await(5, TimeUnit.SECONDS);
        TcpTransport client =
            TcpTransport.start(b, TransferConfig.loopback()).await(5, TimeUnit.SECONDS);
        UUID id = UUID.randomUUID();
        SegmentEndpoint endpoint = server.register(region, id);
        server.activate(id, 7);
        RemoteSegment remote = new RemoteSegment(id, 7, 64 << 20, endpoint);
        for (int size : new int[] {1, 100, 4096, 16384, 16385, 65536, 65537, 1 << 20, 33 << 20}) {
          MemorySegment out = arena.allocate(size);
          for (int i = 0; i < size; i++) {
            out.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + size));
          }
          MemorySegment in = arena.allocate(size);
          long deadline = System.nanoTime() + 10_000_000_000L;
          client.put(out, remote, 12345, deadline).await(10, TimeUnit.SECONDS);
          assertThat(region.memory().asSlice(12345, size).mismatch(out)).isEqualTo(-1);
          client.get(in, remote, 12345, deadline).await(10, TimeUnit.SECONDS);
          assertThat(in.mismatch(out)).isEqualTo(-1);
        }
        client.close().await(5, TimeUnit.SECONDS);
        server.unregister(id).await(5, TimeUnit.SECONDS);
        server.close().await(5, TimeUnit.SECONDS);
      } finally {
        a.close().await(5, TimeUnit.SECONDS);
        b.close().await(5, TimeUnit.SECONDS);
      }
    }
  }
}
