package io.moonpool.node.rest;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** Ends what a peer does not end. */
final class Connections {
  private Connections() {}

  /**
   * Cuts a request off: its stream, where a connection has several, or its connection, with what
   * waits to be written to it. A close in order would wait for a peer that reads nothing.
   */
  static void cut(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
    } else if (request.connection() instanceof HttpServerConnection connection) {
      // From its handler on: through the whole pipeline it would be a close in order.
      connection.channelHandlerContext().close();
    } else {
      request.connection().close();
    }
  }
}
