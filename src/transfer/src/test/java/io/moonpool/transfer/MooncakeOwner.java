package io.moonpool.transfer;

import io.moonpool.model.MooncakeEndpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of Mooncake that lends memory, byte by byte, and that can be as wrong as it likes. */
final class MooncakeOwner implements AutoCloseable {
  static final long BASE = 0x7f12_3450_0000L;

  /** What it does with a data connection. */
  interface Behaviour {
    void serve(DataInputStream in, OutputStream out) throws IOException;
  }

  final byte[] memory;
  final AtomicInteger handshakes = new AtomicInteger();
  final AtomicInteger connections = new AtomicInteger();
  private final ServerSocket greeter = listen();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile ServerSocket data = listen();
  volatile Behaviour behaviour = (in, out) -> serve(in, out, Integer.MAX_VALUE);
  volatile String greeting = "";

  MooncakeOwner(int size) throws IOException {
    memory = new byte[size];
    accept(greeter, this::greet);
    accept(data, this::transfer);
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  }

  private void accept(ServerSocket listener, Behaviour service) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!listener.isClosed()) {
                try {
                  Socket socket = listener.accept();
                  open.add(socket);
                  Thread.ofVirtual().start(() -> run(socket, service));
                } catch (IOException e) {
                  // Closed: the loop ends.
                }
              }
            });
  }

  private void run(Socket socket, Behaviour service) {
    try (socket) {
      service.serve(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
    } catch (IOException e) {
      // The peer has left.
    } finally {
      open.remove(socket);
    }
  }

  MooncakeEndpoint endpoint() {
    return new MooncakeEndpoint(BASE, "tcp", "127.0.0.1:" + greeter.getLocalPort());
  }

  /** Has its data at another port from now on. */
  void moveData() throws IOException {
    ServerSocket before = data;
    data = listen();
    accept(data, this::transfer);
    before.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void greet(DataInputStream in, OutputStream out) throws IOException {
    handshakes.incrementAndGet();
    in.readFully(new byte[Math.toIntExact(Long.reverseBytes(in.readLong()))]);
    String said = greeting;
    if (said.isEmpty()) {
      said =
          "{\"protocol\":\"tcp\",\"tcp_data_port\":"
              + data.getLocalPort()
              + ",\"tcp_proto_version\":2,\"buffers\":[]}";
    }
    byte[] text = said.getBytes(StandardCharsets.UTF_8);
    out.write(
        ByteBuffer.allocate(9 + text.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(text.length + 1L)
            .put((byte) 1)
            .put(text)
            .array());
    in.read();
  }

  private void transfer(DataInputStream in, OutputStream out) throws IOException {
    connections.incrementAndGet();
    behaviour.serve(in, out);
  }

  /** Serves so many requests as it should. */
  void serve(DataInputStream in, OutputStream out, int requests) throws IOException {
    for (int i = 0; i < requests; i++) {
      int size = Math.toIntExact(Long.reverseBytes(in.readLong()));
      int offset = Math.toIntExact(Long.reverseBytes(in.readLong()) - BASE);
      int opcode = in.readUnsignedByte();
      in.readFully(new byte[7]);
      if (offset < 0 || offset + size > memory.length) {
        out.write(status(1));
        return;
      }
      if (opcode == MooncakeSocket.WRITE) {
        in.readFully(memory, offset, size);
        out.write(status(0));
      } else {
        out.write(status(0));
        out.write(memory, offset, size);
      }
    }
  }

  static byte[] status(int code) {
    return new byte[] {(byte) code, 0, 0, 0, 'V', 'T', 'C', 'M'};
  }

  @Override
  public void close() throws IOException {
    greeter.close();
    data.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
