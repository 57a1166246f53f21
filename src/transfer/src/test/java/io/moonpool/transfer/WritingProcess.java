package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A second process that puts ones through UCX until that fails, and prints how it failed. */
final class WritingProcess implements AutoCloseable {
  private static final int VALUE_BYTES = 1 << 20;
  private static final int AT_ONCE = 16;

  private final ChildJvm process;

  private WritingProcess(ChildJvm process) {
    this.process = process;
  }

  /** The second process's main method. */
  public static void main(String[] args) throws Exception {
    List<SegmentEndpoint> endpoints =
        List.of(new SegmentEndpoint("ucx", HexFormat.of().parseHex(args[3])));
    PeerSegment segment =
        new PeerSegment(
            UUID.fromString(args[0]), Long.parseLong(args[1]), Long.parseLong(args[2]), endpoints);
    Vertx vertx = Vertx.vertx();
    TransferConfig config =
        TransferConfig.client()
            .withTransports(List.of("ucx"))
            .withUcx(new UcxOptions(args[4], Duration.ZERO));
    Transports transports = Transports.start(vertx, config).await();
    MemorySegment ones = Arena.ofAuto().allocate(VALUE_BYTES).fill((byte) 1);
    try {
      while (true) {
        List<Future<Void>> batch = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
          batch.add(transports.put(ones, segment, (long) i * VALUE_BYTES, deadline));
        }
        Future.join(batch).await(30, TimeUnit.SECONDS);
      }
    } catch (StoreException e) {
      System.out.println(e.code() + " " + e.getMessage());
    }
    System.exit(0);
  }

  static WritingProcess start(PeerSegment segment, String tls) throws IOException {
    return new WritingProcess(
        ChildJvm.start(
            WritingProcess.class,
            segment.segmentId().toString(),
            Long.toString(segment.generation()),
            Long.toString(segment.size()),
            HexFormat.of().formatHex(segment.endpoints().getFirst().descriptor()),
            tls));
  }

  void signal(String name) throws Exception {
    process.signal(name);
  }

  /** What it printed until it ended. */
  String outcome() throws IOException {
    return process.output().readAllAsString();
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
