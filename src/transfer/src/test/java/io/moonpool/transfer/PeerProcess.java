package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A second process that lends a segment until it is killed or its standard input ends. */
final class PeerProcess implements AutoCloseable {
  private static final String READY = "lends";

  private final Process process;
  private final PeerSegment segment;

  private PeerProcess(Process process, PeerSegment segment) {
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
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-agent") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(PeerProcess.class.getName());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
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
    process.destroyForcibly();
  }

  void signal(String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new AssertionError("kill -" + name + " failed");
    }
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }
}
