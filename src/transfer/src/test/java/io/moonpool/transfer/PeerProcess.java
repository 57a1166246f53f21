package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** A second process that lends a segment until it is killed or its standard input ends. */
final class PeerProcess implements AutoCloseable {
  private static final String READY = "lends";

  private final ChildJvm process;
  private final PeerSegment segment;

  private PeerProcess(ChildJvm process, PeerSegment segment) {
    this.process = process;
    this.segment = segment;
  }

  /** The second process's main method. */
  public static void main(String[] args) throws Exception {
    long bytes = Long.parseLong(args[0]);
    Vertx vertx = Vertx.vertx();
    TransferConfig config = TransferConfig.node("127.0.0.1", 0);
    if (args.length > 1) {
      config =
          config
              .withTransports(List.of("ucx", "tcp"))
              .withUcx(new UcxOptions(args[1], Duration.ZERO));
    }
    Transports transports = Transports.start(vertx, config).await();
    Region region = transports.allocate(bytes);
    UUID id = UUID.randomUUID();
    StringBuilder line = new StringBuilder(READY).append(' ').append(id);
    for (SegmentEndpoint endpoint : transports.register(region, id)) {
      line.append(' ').append(endpoint.transport());
      line.append(' ').append(HexFormat.of().formatHex(endpoint.descriptor()));
    }
    transports.activate(id, 7);
    System.out.println(line);
    while (System.in.read() >= 0) {
      // Until the parent is gone.
    }
    System.exit(0);
  }

  static PeerProcess start(long bytes) throws IOException {
    return start(Long.toString(bytes));
  }

  /** One whose segment is reached through those transports of UCX, and tcp. */
  static PeerProcess ucx(long bytes, String tls) throws IOException {
    return start(Long.toString(bytes), tls);
  }

  private static PeerProcess start(String... arguments) throws IOException {
    ChildJvm process = ChildJvm.start(PeerProcess.class, arguments);
    BufferedReader lines = process.output();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      if (words[0].equals(READY)) {
        List<SegmentEndpoint> endpoints = new ArrayList<>();
        for (int i = 2; i < words.length; i += 2) {
          endpoints.add(new SegmentEndpoint(words[i], HexFormat.of().parseHex(words[i + 1])));
        }
        return new PeerProcess(
            process,
            new PeerSegment(UUID.fromString(words[1]), 7, Long.parseLong(arguments[0]), endpoints));
      }
    }
    throw new IOException("the second process ended before it was ready");
  }

  PeerSegment segment() {
    return segment;
  }

  /** Kills it as {@code kill -9} does. */
  void kill() {
    process.kill();
  }

  void signal(String name) throws Exception {
    process.signal(name);
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
