package io.moonpool.node.rest;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.client.parts.StagingPool;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.node.disk.LocalDisk;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves REST on one event loop, which its client shares. */
public final class RestVerticle extends VerticleBase {
  /** A key of the greatest length with every byte percent-encoded, and room for the rest. */
  private static final int MAX_REQUEST_LINE_BYTES = 3 * 65_535 + 4_096;

  /** A peer that neither sends nor takes anything for so long is cut off. */
  private static final int IDLE_SECONDS = 60;

  private final AdminAddress address;
  private final ConnectionLimit connections;
  private final RestStats stats = new RestStats();
  private final Supplier<HealthReport> health;
  private final Supplier<String> metrics;
  private @Nullable RestHandler handler;
  private @Nullable HttpServer server;
  private @Nullable MoonpoolClient client;
  private @Nullable StagingPool staging;

  /**
   * A verticle.
   *
   * @param connections how many it may have
   * @param metrics the text that Prometheus reads; called on a worker
   */
  public RestVerticle(
      AdminAddress address,
      ConnectionLimit connections,
      Supplier<HealthReport> health,
      Supplier<String> metrics) {
    this.address = address;
    this.connections = connections;
    this.health = health;
    this.metrics = metrics;
  }

  /** What it has done; any thread. */
  public RestStats stats() {
    return stats;
  }

  @Override
  public Future<?> start() {
    RestHandler answering = new RestHandler(vertx, address, stats, health, metrics);
    handler = answering;
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
            // HTTP/2 goes with TLS only. Without, it would be known by its first bytes, and until
            // then connections were not counted: those that never say a word.
            .setHttp2ClearTextEnabled(false)
            // The request line is a header in HTTP/2.
            .setInitialSettings(new Http2Settings().setMaxHeaderListSize(MAX_REQUEST_LINE_BYTES))
            .setIdleTimeout(IDLE_SECONDS)
            .setIdleTimeoutUnit(TimeUnit.SECONDS);
    address
        .tls()
        .ifPresent(
            files ->
                options.setSsl(true).setUseAlpn(true).setKeyCertOptions(files.keyCertOptions()));
    return vertx
        .createHttpServer(options)
        .connectionHandler(this::admit)
        .requestHandler(answering)
        .invalidRequestHandler(InvalidRequest::refuse)
        .listen()
        // In the chain: a handler of success may run after those who wait for the deployment.
        .map(
            listening -> {
              server = listening;
              return listening;
            })
        .recover(
            failure ->
                Future.failedFuture(
                    new StoreException(
                        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
                        "HTTP cannot listen on "
                            + address.host()
                            + ":"
                            + address.port()
                            + ": "
                            + failure.getMessage()
                            + "; choose another http_port, or 0 for any free one")));
  }

  private void admit(HttpConnection connection) {
    if (connections.tryOpen()) {
      connection.closeHandler(closed -> connections.closed());
    } else {
      connection.close();
    }
  }

  /** The port that it listens on, once it is deployed. */
  public int port() {
    HttpServer listening = server;
    if (listening == null) {
      throw new IllegalStateException("not deployed");
    }
    return listening.actualPort();
  }

  /** Answers questions about that disk from now on. Any thread, once it is deployed. */
  public void serve(LocalDisk disk) {
    context.runOnContext(
        here -> {
          RestHandler answering = handler;
          if (answering != null) {
            answering.serve(disk);
          }
        });
  }

  /**
   * Serves objects from now on.
   *
   * @param connect connects a client; called on this verticle's context, so that it shares the loop
   * @param memory for bodies; closed with this verticle, as is the client
   * @param stagingWaitMillis how long a request may wait for some of it
   * @param spaceWaitMillis how long a put may wait for space
   */
  public Future<Void> serve(
      Supplier<Future<MoonpoolClient>> connect,
      PartOptions options,
      StagingPool memory,
      long stagingWaitMillis,
      long spaceWaitMillis) {
    Promise<Void> serving = Promise.promise();
    context.runOnContext(
        here ->
            connect
                .get()
                .<Void>map(
                    connected -> {
                      client = connected;
                      staging = memory;
                      RestHandler answering = handler;
                      if (answering != null) {
                        answering.serve(
                            connected,
                            options,
                            new SharedStaging(vertx, memory, stats, stagingWaitMillis),
                            spaceWaitMillis);
                      }
                      return null;
                    })
                .onComplete(serving));
    return serving.future();
  }

  @Override
  public Future<?> stop() {
    HttpServer listening = server;
    MoonpoolClient connected = client;
    StagingPool memory = staging;
    Future<Void> closed = listening == null ? Future.succeededFuture() : listening.close();
    return closed
        .eventually(() -> connected == null ? Future.succeededFuture() : connected.close())
        .eventually(() -> memory == null ? Future.succeededFuture() : memory.close());
  }
}
