package io.moonpool.master.admin;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;

/**
 * Every request of the HTTP interface passes here: find the route, check the token, read the body,
 * let the route answer, write. Whatever is wrong is answered as JSON.
 */
final class AdminHandler implements Handler<HttpServerRequest> {
  private final AdminAddress address;
  private final RouteTable routes;
  private final int maxBodyBytes;

  AdminHandler(AdminAddress address, RouteTable routes, int maxBodyBytes) {
    this.address = address;
    this.routes = routes;
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      dispatch(request);
    } catch (StoreException e) {
      write(request, Refusal.of(e));
    }
  }

  private void dispatch(HttpServerRequest request) {
    RouteTable.Found found = routes.find(request.method(), rawPath(request));
    Route route = found instanceof RouteTable.Match match ? match.route() : null;
    if (route != null) {
      // The label of this request in the server's metrics: the template, never the path itself.
      request.routed(route.path());
    }
    boolean open = route != null && route.open();
    if (isForeignPage(request)) {
      write(
          request,
          Refusal.of(
              403,
              ErrorCode.ILLEGAL_CLIENT,
              "a page of another site may change nothing here: use the dashboard that this port"
                  + " serves, or a program"));
      return;
    }
    if (!open && !address.permits(request.getHeader("Authorization"))) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      write(
          request,
          Refusal.of(
              401,
              ErrorCode.ILLEGAL_CLIENT,
              "this interface needs the master's admin_token: send the header Authorization: Bearer"
                  + " <token>"));
      return;
    }
    switch (found) {
      case RouteTable.Match match -> answer(request, match);
      case RouteTable.WrongMethod wrong -> {
        request.response().putHeader("Allow", wrong.allowed());
        write(
            request,
            Refusal.of(
                405,
                ErrorCode.NOT_SUPPORTED,
                request.method() + " is not possible on this path: use " + wrong.allowed()));
      }
      case RouteTable.Nothing nothing ->
          write(
              request,
              Refusal.of(
                  404,
                  ErrorCode.NOT_SUPPORTED,
                  "unknown path: see /api/v1/openapi.yaml, and write a slash inside a key as %2F"));
    }
  }

  /**
   * Browsers say which page makes a request. Without a token, any page that somebody has open on
   * this machine could otherwise change the pool.
   */
  private static boolean isForeignPage(HttpServerRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    return site != null
        && !site.equals("same-origin")
        && !site.equals("none")
        && !request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD);
  }

  private void answer(HttpServerRequest request, RouteTable.Match match) {
    RequestBody.read(request, maxBodyBytes)
        .compose(
            body ->
                switch (match.route()) {
                  case EventRoute events -> stream(events, match, request, body);
                  case StreamRoute stream -> pieces(stream, match, request, body);
                  case Route route ->
                      route
                          .handle(routed(match, request, body))
                          .onSuccess(answer -> write(request, answer))
                          .<Void>mapEmpty();
                })
        .onFailure(
            failure -> {
              if (failure instanceof RequestBody.TooLarge) {
                closeAfterAnswer(request);
                write(
                    request,
                    Refusal.of(
                        413, ErrorCode.INVALID_PARAMS, String.valueOf(failure.getMessage())));
              } else {
                write(
                    request,
                    Refusal.of(failure, match.route().method() + " " + match.route().path()));
              }
            });
  }

  /**
   * What is left of a body that is too large is not read, so an HTTP/1 connection cannot serve
   * another request.
   */
  private static void closeAfterAnswer(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      request.response().putHeader("Connection", "close");
    }
  }

  private static Future<Void> stream(
      EventRoute route, RouteTable.Match match, HttpServerRequest request, Buffer body) {
    EventStream stream = new EventStream(request.response());
    return route
        .open(
            routed(match, request, body),
            request.method().equals(HttpMethod.HEAD) ? EventRoute.EventSink.NONE : stream)
        .onSuccess(
            stop -> {
              stream.begin(stop);
              if (request.method().equals(HttpMethod.HEAD)) {
                stream.end();
              }
            })
        .mapEmpty();
  }

  private static Future<Void> pieces(
      StreamRoute route, RouteTable.Match match, HttpServerRequest request, Buffer body) {
    Future<Void> written;
    try {
      written = write(request, route.open(routed(match, request, body)));
    } catch (StoreException e) {
      written = Future.failedFuture(e);
    }
    return written.recover(
        failure -> {
          Optional<Answer> refusal =
              failure instanceof StoreException known ? route.refused(known) : Optional.empty();
          refusal.ifPresent(answer -> write(request, answer));
          return refusal.isPresent() ? Future.succeededFuture() : Future.failedFuture(failure);
        });
  }

  private static Future<Void> write(HttpServerRequest request, StreamRoute.Pieces pieces) {
    if (request.method().equals(HttpMethod.HEAD)) {
      request.response().putHeader("Content-Type", pieces.contentType()).end();
      return Future.succeededFuture();
    }
    return PieceWriter.write(request.response(), pieces);
  }

  private static RouteRequest routed(
      RouteTable.Match match, HttpServerRequest request, Buffer body) {
    String rawQuery = request.query();
    return new RouteRequest(
        match.parameters(), () -> query(request), rawQuery == null ? "" : rawQuery, body);
  }

  private static String rawPath(HttpServerRequest request) {
    String path = request.path();
    return path == null ? "" : path;
  }

  private static MultiMap query(HttpServerRequest request) {
    try {
      return request.params();
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "the query is not percent-encoded: " + e.getMessage());
    }
  }

  private static void write(HttpServerRequest request, Answer answer) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response
        .setStatusCode(answer.status())
        .putHeader("Content-Type", answer.contentType())
        .putHeader("Cache-Control", "no-store");
    answer.headers().forEach(response::putHeader);
    String tag = answer.headers().get("ETag");
    if (tag != null && tag.equals(request.getHeader("If-None-Match"))) {
      response.setStatusCode(304).end();
      return;
    }
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader("Content-Length", Integer.toString(answer.body().length()));
      response.end();
    } else {
      response.end(answer.body());
    }
  }
}
