package io.moonpool.node.task;

import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transports;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Memory that is lent over real transports, by what is as apart as a process of its own. */
final class Peer implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final Transports transports;
  private final Region region;
  private final SegmentInfo info;

  /** Lends that many bytes under that generation. */
  Peer(long generation, long bytes) throws Exception {
    transports =
        Transports.start(
                vertx,
                TransferConfig.node("127.0.0.1", 0)
                    .withTransports(List.of("tcp"))
                    .withTimeouts(
                        Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(60)))
            .await(10, TimeUnit.SECONDS);
    region = transports.allocate(bytes);
    UUID id = UUID.randomUUID();
    info =
        new SegmentInfo(
            SegmentSpec.memory(id, "peer", bytes, "", transports.register(region, id)),
            UUID.randomUUID(),
            generation,
            SegmentStatus.OK,
            ClientState.ACTIVE,
            0);
    transports.activate(id, generation);
  }

  Vertx vertx() {
    return vertx;
  }

  Transports transports() {
    return transports;
  }

  SegmentInfo info() {
    return info;
  }

  MemorySegment memory() {
    return region.memory();
  }

  byte[] bytes(long offset, int length) {
    return region.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Refuses accesses from now on. */
  void withdraw() throws Exception {
    transports.unregister(info.spec().id()).await(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    transports.close().await(10, TimeUnit.SECONDS);
    region.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }
}
