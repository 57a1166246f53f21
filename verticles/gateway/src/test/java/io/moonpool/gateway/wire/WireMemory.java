package io.moonpool.gateway.wire;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory that a client of Mooncake lends: serves the handshake and the data of the {@code tcp}
 * transport on threads of its own, written from the protocol's description alone.
 */
public final class WireMemory implements AutoCloseable {
  private final ServerSocket handshakes = listen();
  private final ServerSocket data = listen();
  private final ConcurrentMap<Socket, Thread> open = new ConcurrentHashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final long base;
  private final byte[] memory;

  /** One request a connection, as some owners serve them. */
  private volatile boolean oneEach;

  /** Lends so many bytes at an address. */
  public WireMemory(long base, int size) {
    this.base = base;
    this.memory = new byte[size];
    serve(handshakes, this::greet);
    serve(data, this::transfer);
  }

  /** What serves a connection. */
  private interface Service {
    void serve(DataInputStream in, OutputStream out) throws IOException;
  }

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(ServerSocket listener, Service service) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!listener.isClosed()) {
                try {
                  Socket socket = listener.accept();
                  socket.setTcpNoDelay(true);
                  open.put(socket, Thread.ofVirtual().start(() -> serve(socket, service)));
                } catch (IOException e) {
                  // Closed: the loop ends.
                }
              }
            });
  }

  private void serve(Socket socket, Service service) {
    try (socket) {
      service.serve(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
    } catch (IOException e) {
      // The peer has left.
    } finally {
      open.remove(socket);
    }
  }

  /** The endpoint that it is announced by. */
  public String endpoint() {
    return "127.0.0.1:" + handshakes.getLocalPort();
  }

  /** As a segment to be mounted. */
  public WireClient.Segment segment() {
    return new WireClient.Segment(UUID.randomUUID(), endpoint(), base, memory.length, endpoint());
  }

  /** Closes each data connection after one request from now on. */
  public void closeAfterEachRequest() {
    oneEach = true;
  }

  /** Reads that were answered. */
  public int reads() {
    return reads.get();
  }

  /** Writes that were answered. */
  public int writes() {
    return writes.get();
  }

  /** Data connections that were accepted. */
  public int connections() {
    return connections.get();
  }

  /** Changes what is stored, behind everybody's back. */
  public void spoil() {
    for (int i = 0; i < memory.length; i++) {
      memory[i]++;
    }
  }

  private void greet(DataInputStream in, OutputStream out) throws IOException {
    WireData.readGreeting(in);
    JsonObject buffer =
        new JsonObject(Map.of("addr", base, "length", memory.length, "name", "cpu:0"));
    out.write(
        WireData.greeting(
            new JsonObject()
                .put("buffers", new JsonArray().add(buffer))
                .put("name", endpoint())
                .put("protocol", "tcp")
                .put("tcp_data_port", data.getLocalPort())
                .put("tcp_proto_version", 2)
                .put("timestamp", "2026-08-22 00:00:00")
                .encode()));
    in.read();
  }

  private void transfer(DataInputStream in, OutputStream out) throws IOException {
    connections.incrementAndGet();
    do {
      long size = Long.reverseBytes(in.readLong());
      long address = Long.reverseBytes(in.readLong());
      int opcode = in.readUnsignedByte();
      in.readFully(new byte[7]);
      long offset = address - base;
      if (offset < 0 || size < 0 || offset + size > memory.length) {
        out.write(status(1));
        return;
      }
      if (opcode == 0x81) {
        in.readFully(memory, (int) offset, (int) size);
        writes.incrementAndGet();
        out.write(status(0));
      } else if (opcode == 0x80) {
        reads.incrementAndGet();
        out.write(status(0));
        out.write(memory, (int) offset, (int) size);
      } else {
        return;
      }
    } while (!oneEach);
  }

  private static byte[] status(int code) {
    return new byte[] {(byte) code, 0, 0, 0, 'V', 'T', 'C', 'M'};
  }

  @Override
  public void close() {
    try {
      handshakes.close();
      data.close();
      for (Socket socket : open.keySet()) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
