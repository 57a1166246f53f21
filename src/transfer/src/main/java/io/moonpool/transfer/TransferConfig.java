package io.moonpool.transfer;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How this process moves bytes. Start from {@link #client()} or {@link #node(String, int)} and
 * change what is different.
 *
 * @param transports names of the transports to use, best first: {@code shm}, {@code ucx}, {@code
 *     tcp}; one that this machine cannot offer is left out
 * @param serve whether this process lends segments; without, it listens nowhere
 * @param host address that the data server listens at
 * @param port its port; 0 for any free one
 * @param advertisedHost name or address under which peers reach the data server; not a wildcard
 * @param socketBufferBytes kernel buffers of each connection, in each direction; below 4 MiB
 *     transfers of 64 KiB and more get several times slower
 * @param connectTimeout how long a connection may take until the peer has answered on it
 * @param operationTimeout how long a piece of a transfer may take once it is under way, when its
 *     deadline is not earlier: so long does a peer that hangs go unnoticed
 * @param idleTimeout how long a connection without use stays open
 * @param maxConnections how many connections the data server has at one time; more are closed at
 *     once
 * @param copyThreads workers that copy large values through shared memory
 * @param tls null for plain connections; both sides must agree
 * @param ucx how {@code ucx} uses its library
 * @param mooncake where a process that lends segments serves clients of Mooncake, too; null for
 *     nowhere. Their connections are plain: not together with {@code tls}
 */
public record TransferConfig(
    List<String> transports,
    boolean serve,
    String host,
    int port,
    String advertisedHost,
    int socketBufferBytes,
    Duration connectTimeout,
    Duration operationTimeout,
    Duration idleTimeout,
    int maxConnections,
    int copyThreads,
    @Nullable TransferTls tls,
    UcxOptions ucx,
    @Nullable MooncakePorts mooncake) {
  private static final Set<String> KNOWN =
      Set.of(ShmTransport.NAME, UcxTransport.NAME, TcpTransport.NAME);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what to correct
   */
  public TransferConfig {
    transports = List.copyOf(transports);
    require(!transports.isEmpty(), "transports must name at least one of shm, ucx, tcp");
    require(
        new HashSet<>(transports).size() == transports.size() && KNOWN.containsAll(transports),
        "transports must name shm, ucx and tcp at most once each, not " + transports);
    require(port >= 0 && port <= 65535, "the data port must be 0 to 65535, not " + port);
    require(
        !serve || !(advertisedHost.isEmpty() || isWildcard(advertisedHost)),
        "the data server needs an address that peers can reach; '"
            + advertisedHost
            + "' is none: set the advertised host");
    require(
        socketBufferBytes >= 4096, "socket buffers must have 4096 bytes, not " + socketBufferBytes);
    require(positive(connectTimeout), "the connect timeout must be positive");
    require(positive(operationTimeout), "the operation timeout must be positive");
    require(positive(idleTimeout), "the idle timeout must be positive");
    require(maxConnections >= 1, "there must be room for at least one connection");
    require(copyThreads >= 1, "there must be at least one copy thread");
    require(
        mooncake == null || tls == null,
        "clients of Mooncake have no TLS: serve them without it, or not at all");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static boolean positive(Duration duration) {
    return duration.isPositive();
  }

  private static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /** For a process that puts and gets but lends nothing. */
  public static TransferConfig client() {
    return new TransferConfig(
        List.of(ShmTransport.NAME, UcxTransport.NAME, TcpTransport.NAME),
        false,
        "",
        0,
        "",
        4 << 20,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Integer.MAX_VALUE,
        Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4),
        null,
        UcxOptions.DEFAULT,
        null);
  }

  /**
   * For a process that lends segments too.
   *
   * @param host address to listen at, under which peers reach it too
   * @param port 0 for any free one
   */
  public static TransferConfig node(String host, int port) {
    return client().serving(host, port, host);
  }

  /** The same, lending segments. */
  public TransferConfig serving(String newHost, int newPort, String newAdvertisedHost) {
    return with(
        copy -> {
          copy.serve = true;
          copy.host = newHost;
          copy.port = newPort;
          copy.advertisedHost = newAdvertisedHost;
        });
  }

  /** The same with other transports, best first. */
  public TransferConfig withTransports(List<String> names) {
    return with(copy -> copy.transports = names);
  }

  /** The same with other timeouts. */
  public TransferConfig withTimeouts(Duration connect, Duration operation, Duration idle) {
    return with(
        copy -> {
          copy.connectTimeout = connect;
          copy.operationTimeout = operation;
          copy.idleTimeout = idle;
        });
  }

  /** The same with that many connections of peers at most. */
  public TransferConfig withMaxConnections(int connections) {
    return with(copy -> copy.maxConnections = connections);
  }

  /** The same over TLS. */
  public TransferConfig withTls(@Nullable TransferTls newTls) {
    return with(copy -> copy.tls = newTls);
  }

  /** The same with other options of {@code ucx}. */
  public TransferConfig withUcx(UcxOptions newUcx) {
    return with(copy -> copy.ucx = newUcx);
  }

  /** The same, serving clients of Mooncake at these ports; null for nowhere. */
  public TransferConfig withMooncake(@Nullable MooncakePorts ports) {
    return with(copy -> copy.mooncake = ports);
  }

  private TransferConfig with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.config();
  }

  /** The values, to be changed before they are checked again. */
  private static final class Copy {
    private List<String> transports;
    private boolean serve;
    private String host;
    private int port;
    private String advertisedHost;
    private final int socketBufferBytes;
    private Duration connectTimeout;
    private Duration operationTimeout;
    private Duration idleTimeout;
    private int maxConnections;
    private final int copyThreads;
    private @Nullable TransferTls tls;
    private UcxOptions ucx;
    private @Nullable MooncakePorts mooncake;

    Copy(TransferConfig from) {
      transports = from.transports;
      serve = from.serve;
      host = from.host;
      port = from.port;
      advertisedHost = from.advertisedHost;
      socketBufferBytes = from.socketBufferBytes;
      connectTimeout = from.connectTimeout;
      operationTimeout = from.operationTimeout;
      idleTimeout = from.idleTimeout;
      maxConnections = from.maxConnections;
      copyThreads = from.copyThreads;
      tls = from.tls;
      ucx = from.ucx;
      mooncake = from.mooncake;
    }

    TransferConfig config() {
      return new TransferConfig(
          transports,
          serve,
          host,
          port,
          advertisedHost,
          socketBufferBytes,
          connectTimeout,
          operationTimeout,
          idleTimeout,
          maxConnections,
          copyThreads,
          tls,
          ucx,
          mooncake);
    }
  }
}
