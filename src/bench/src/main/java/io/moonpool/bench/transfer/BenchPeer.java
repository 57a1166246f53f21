package io.moonpool.bench.transfer;

import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transports;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.UUID;

/**
 * The main class of the second process: lends one segment and serves the reference program, until
 * its standard input ends, which it also does when its parent dies.
 */
public final class BenchPeer {
  private static final long GENERATION = 1;

  private BenchPeer() {}

  /**
   * Runs the peer.
   *
   * @param args the size of the segment in bytes, and the name of the transport
   */
  public static void main(String[] args) throws Exception {
    long bytes = Long.parseLong(args[0]);
    TransferConfig config = new BenchTransport(args[1]).apply(TransferConfig.node("127.0.0.1", 0));
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    Transports transports = Transports.start(vertx, config).await();
    Region region = transports.allocate(bytes);
    UUID id = UUID.randomUUID();
    PeerSegment segment = new PeerSegment(id, GENERATION, bytes, transports.register(region, id));
    transports.activate(id, GENERATION);
    try (SocketReference.Server reference = SocketReference.serve(region.memory())) {
      System.out.println(PeerAnnouncement.encode(segment, reference.port()));
      while (System.in.read() >= 0) {
        // Waits for the parent.
      }
    }
    transports.close().await();
    region.close();
    vertx.close().await();
  }
}
