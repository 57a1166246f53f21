package io.moonpool.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/**
 * A port in the place of the master's heartbeat port, in one of the ways in which such a port can
 * be unreachable, until it is opened: then it passes everything on to the real one.
 */
final class StagedPort implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** How the port is. */
  enum Fault {
    /** Nobody listens: connections are refused. */
    REFUSED,
    /** Connections are made, by the kernel alone, and nothing is ever answered. */
    NEVER_ANSWERS,
    /** The packets that ask for a connection are dropped: the backlog is full. */
    DROPS_SYN,
    /** Connections are made and closed at once. */
    CLOSES,
    /** Something else listens there and answers, not in pings. */
    SPEAKS_SOMETHING_ELSE
  }

  private final int target;
  private final int port;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile ServerSocket server;
  private volatile Fault fault;

  private StagedPort(int target, int port) {
    this.target = target;
    this.port = port;
  }

  /** A port that passes everything on. */
  static StagedPort open(int target) throws IOException {
    StagedPort staged = new StagedPort(target, freePort());
    staged.open();
    return staged;
  }

  /** A port with a fault. */
  static StagedPort with(Fault fault, int target) throws IOException {
    StagedPort staged = new StagedPort(target, freePort());
    staged.fail(fault);
    return staged;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  int port() {
    return port;
  }

  private ServerSocket listen(int backlog) {
    // The one before is gone only once the thread that waits in its accept has noticed.
    ServerSocket listening =
        Awaitility.await()
            .atMost(Duration.ofSeconds(20))
            .pollInterval(Duration.ofMillis(5))
            .ignoreException(BindException.class)
            .until(() -> bound(backlog), Objects::nonNull);
    server = listening;
    return listening;
  }

  private ServerSocket bound(int backlog) throws IOException {
    ServerSocket listening = new ServerSocket();
    try {
      listening.setReuseAddress(true);
      listening.bind(new InetSocketAddress(LOOPBACK, port), backlog);
      return listening;
    } catch (IOException e) {
      listening.close();
      throw e;
    }
  }

  /** Cuts what is there and fails in that way from now on. */
  void fail(Fault how) throws IOException {
    closeAll();
    fault = how;
    switch (how) {
      case REFUSED -> {}
      case NEVER_ANSWERS -> listen(50);
      case DROPS_SYN -> fill(listen(1));
      case CLOSES, SPEAKS_SOMETHING_ELSE -> accept(listen(50));
    }
  }

  /** Passes everything on from now on. */
  void open() throws IOException {
    closeAll();
    fault = null;
    accept(listen(50));
  }

  /** Connects until nobody can any more. */
  private void fill(ServerSocket full) throws IOException {
    for (int i = 0; i < 100; i++) {
      Socket socket = new Socket();
      sockets.add(socket);
      try {
        socket.connect(full.getLocalSocketAddress(), 500);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
    throw new IOException("this kernel takes any number of connections");
  }

  private void accept(ServerSocket listening) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!listening.isClosed()) {
                try {
                  serve(listening.accept());
                } catch (IOException e) {
                  // Closed, or the next connection will tell.
                }
              }
            });
  }

  private void serve(Socket socket) throws IOException {
    sockets.add(socket);
    Fault now = fault;
    if (now == Fault.CLOSES) {
      socket.close();
    } else if (now == Fault.SPEAKS_SOMETHING_ELSE) {
      socket
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes());
      socket.getOutputStream().flush();
    } else {
      Socket real = new Socket(LOOPBACK, target);
      real.setTcpNoDelay(true);
      socket.setTcpNoDelay(true);
      sockets.add(real);
      pipe(socket, real);
      pipe(real, socket);
    }
  }

  private static void pipe(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (from;
                  to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] bytes = new byte[1_024];
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                  out.write(bytes, 0, read);
                  out.flush();
                }
              } catch (IOException e) {
                // The other side is told by the closing of both.
              }
            });
  }

  private void closeAll() throws IOException {
    ServerSocket listening = server;
    if (listening != null) {
      listening.close();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    closeAll();
  }
}
