package io.moonpool.protocol.frame;

import io.moonpool.protocol.wire.Form;
import io.vertx.core.net.NetClientOptions;

/**
 * How a client connects and how long it waits.
 *
 * @param host name or address of the server
 * @param port of the server
 * @param net TLS and socket options
 * @param limits the largest body, and how many calls may be under way
 * @param callTimeoutMillis how long a call may take, connecting included, unless it says otherwise
 * @param connectTimeoutMillis how long connecting may take
 * @param form of the requests; an answer comes in the same
 */
public record FrameClientOptions(
    String host,
    int port,
    NetClientOptions net,
    FrameLimits limits,
    long callTimeoutMillis,
    int connectTimeoutMillis,
    Form form) {
  /** How long a call may take by default. */
  public static final long CALL_TIMEOUT_MILLIS = 30_000;

  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final int MAX_IN_FLIGHT = 100_000;

  /** Requests without their literals, which servers know anyway. */
  public FrameClientOptions(
      String host,
      int port,
      NetClientOptions net,
      FrameLimits limits,
      long callTimeoutMillis,
      int connectTimeoutMillis) {
    this(host, port, net, limits, callTimeoutMillis, connectTimeoutMillis, Form.SHORT);
  }

  /** No TLS, up to 100,000 calls under way, 30 seconds a call, 5 to connect. */
  public static FrameClientOptions of(String host, int port) {
    FrameLimits limits =
        new FrameLimits(
            FrameLimits.DEFAULT.maxBodyBytes(),
            MAX_IN_FLIGHT,
            FrameLimits.DEFAULT.maxInFlightBytes(),
            FrameLimits.DEFAULT.stallMillis());
    return new FrameClientOptions(
        host, port, new NetClientOptions(), limits, CALL_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
  }

  /** These options with other TLS and socket options. */
  public FrameClientOptions withNet(NetClientOptions other) {
    return new FrameClientOptions(
        host, port, other, limits, callTimeoutMillis, connectTimeoutMillis, form);
  }

  /** These options with other limits. */
  public FrameClientOptions withLimits(FrameLimits other) {
    return new FrameClientOptions(
        host, port, net, other, callTimeoutMillis, connectTimeoutMillis, form);
  }

  /** These options with another timeout for connecting. */
  public FrameClientOptions withConnectTimeoutMillis(int millis) {
    return new FrameClientOptions(host, port, net, limits, callTimeoutMillis, millis, form);
  }

  /** These options with another timeout for calls. */
  public FrameClientOptions withCallTimeoutMillis(long millis) {
    return new FrameClientOptions(host, port, net, limits, millis, connectTimeoutMillis, form);
  }

  /** These options with requests in another form. */
  public FrameClientOptions withForm(Form other) {
    return new FrameClientOptions(
        host, port, net, limits, callTimeoutMillis, connectTimeoutMillis, other);
  }
}
