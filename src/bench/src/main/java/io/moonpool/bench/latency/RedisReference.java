package io.moonpool.bench.latency;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A Redis server of this machine and one plain blocking connection to it: the fastest client of one
 * operation at a time that there is. Speaks RESP
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/).
 */
final class RedisReference implements AutoCloseable {
  private static final byte[] LINE_END = {'\r', '\n'};

  private final Process server;
  private final Socket socket;
  private final DataInputStream in;

  private RedisReference(Process server, Socket socket) throws IOException {
    this.server = server;
    this.socket = socket;
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
  }

  /**
   * Starts a server without persistence on a free port of the loopback; empty when none is
   * installed.
   */
  static Optional<RedisReference> start() throws IOException, InterruptedException {
    Path binary = Path.of("/usr/bin/redis-server");
    if (!Files.isExecutable(binary)) {
      return Optional.empty();
    }
    int port;
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = probe.getLocalPort();
    }
    Process server =
        new ProcessBuilder(
                binary.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (true) {
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        return Optional.of(new RedisReference(server, socket));
      } catch (IOException notYet) {
        socket.close();
        if (System.nanoTime() > giveUp || !server.isAlive()) {
          server.destroyForcibly();
          throw notYet;
        }
        Thread.sleep(20);
      }
    }
  }

  void set(byte[] key, byte[] value) throws IOException {
    send("SET", key, value);
    String answer = line();
    if (!answer.equals("+OK")) {
      throw new IOException("Redis answered " + answer);
    }
  }

  /** Reads a value into an array of its size. */
  void get(byte[] key, byte[] into) throws IOException {
    send("GET", key);
    String answer = line();
    if (!answer.equals("$" + into.length)) {
      throw new IOException("Redis answered " + answer);
    }
    in.readFully(into);
    in.readFully(new byte[2]);
  }

  private void send(String command, byte[]... arguments) throws IOException {
    int size = 64;
    for (byte[] argument : arguments) {
      size += argument.length + 32;
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream(size);
    request.write(("*" + (arguments.length + 1) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    bulk(request, command.getBytes(StandardCharsets.US_ASCII));
    for (byte[] argument : arguments) {
      bulk(request, argument);
    }
    request.writeTo(socket.getOutputStream());
  }

  private static void bulk(ByteArrayOutputStream to, byte[] bytes) throws IOException {
    to.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
    to.write(bytes);
    to.write(LINE_END);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    while (c != '\r') {
      if (c < 0) {
        throw new IOException("Redis closed the connection");
      }
      line.append((char) c);
      c = in.read();
    }
    in.read();
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    server.destroy();
  }
}
