package io.moonpool.bench.heartbeat;

import io.moonpool.protocol.heartbeat.PingStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One client's heartbeat: a ping each second over a blocking socket, on a thread of its own. When
 * an answer comes late the next ping goes out at once; a connection that breaks is opened again.
 */
final class PingSender implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 120_000;

  /** A ping that was answered, in nanoseconds of {@link System#nanoTime}. */
  record Ack(long sentNanos, long ackedNanos) {}

  private final String host;
  private final int port;
  private final PingExchange exchange;
  private final long phaseNanos;
  private final Thread thread;
  private final List<Ack> acks = new ArrayList<>();
  private volatile boolean stopped;
  private volatile @Nullable Socket socket;
  private int remounts;

  PingSender(int client, String host, int port, PingExchange exchange, long phaseNanos) {
    this.host = host;
    this.port = port;
    this.exchange = exchange;
    this.phaseNanos = phaseNanos;
    this.thread = Thread.ofPlatform().daemon().name("heartbeat-" + client).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    long next = System.nanoTime() + phaseNanos;
    while (!stopped) {
      try (Socket connection = new Socket()) {
        socket = connection;
        connection.setTcpNoDelay(true);
        connection.setSoTimeout(READ_MILLIS);
        connection.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        next = ping(connection, next);
      } catch (IOException e) {
        if (!stopped) {
          LockSupport.parkNanos(RETRY_NANOS);
        }
      }
    }
  }

  private long ping(Socket connection, long first) throws IOException {
    InputStream in = connection.getInputStream();
    OutputStream out = connection.getOutputStream();
    long next = first;
    while (!stopped) {
      for (long left = next - System.nanoTime();
          left > 0 && !stopped;
          left = next - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      if (stopped) {
        break;
      }
      long sent = System.nanoTime();
      PingStatus status = exchange.ping(in, out);
      long acked = System.nanoTime();
      synchronized (acks) {
        if (status != PingStatus.NEED_REMOUNT) {
          acks.add(new Ack(sent, acked));
        } else {
          remounts++;
        }
      }
      // Ticks that went by meanwhile are not made up for.
      next += PERIOD_NANOS * Math.max(1, (acked - next + PERIOD_NANOS) / PERIOD_NANOS);
      if (acked - sent >= PERIOD_NANOS) {
        next = acked;
      }
    }
    return next;
  }

  /** The pings so far whose answer says that they count. */
  List<Ack> acks() {
    synchronized (acks) {
      return List.copyOf(acks);
    }
  }

  /** How often the master did not know the client. */
  int remounts() {
    synchronized (acks) {
      return remounts;
    }
  }

  /** Falls silent at once, as a process that dies. */
  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    Socket open = socket;
    if (open != null) {
      try {
        open.close();
      } catch (IOException ignored) {
        // Nothing of it is used any more.
      }
    }
  }
}
