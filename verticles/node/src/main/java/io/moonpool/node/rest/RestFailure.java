package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ErrorKind;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that cannot be answered: what the answer says instead.
 *
 * @param status of the answer
 */
record RestFailure(int status, ErrorCode code, String message) {
  private static final long DROP_MILLIS = 10_000;

  /** What is not possible now may be when somebody else is ready. */
  private static final String RETRY_SECONDS = "1";

  /** What Vert.x says of a connection that was cut off while it was written to. */
  private static final String CLOSED = "Connection was closed";

  private static final Logger LOG = LoggerFactory.getLogger(RestFailure.class);

  /** What a failure of the pool means over HTTP; what is none of the table is a bug, and logged. */
  static RestFailure of(Throwable failure) {
    if (failure instanceof StoreException known) {
      return new RestFailure(
          ErrorKind.of(known.code()).httpStatus(), known.code(), known.sentence());
    }
    if (failure instanceof RefusedRequest refused) {
      return new RestFailure(refused.status(), refused.code(), refused.sentence());
    }
    if (failure instanceof IOException
        || failure instanceof HttpClosedException
        || (failure instanceof VertxException && CLOSED.equals(failure.getMessage()))) {
      // Nobody is left to read this: the caller has gone, or the node closes.
      return new RestFailure(
          503, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "the connection was closed");
    }
    LOG.error("A request failed", failure);
    return of(new StoreException(ErrorCode.INTERNAL_ERROR));
  }

  /**
   * Answers, without the headers of a value that it may have been about to send: a reader would
   * wait for as many bytes, or take the rest of these for the next answer. What is left of the
   * request's body is dropped as it comes: many clients look at the answer only when they have sent
   * all of it. One that takes too long is cut off.
   */
  void answer(HttpServerRequest request, Vertx vertx) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      // Too late for a status: an answer that breaks off is all that can be said.
      response.reset();
      return;
    }
    if (!request.isEnded()) {
      drop(request, vertx);
    }
    if (status == 401) {
      response.putHeader("WWW-Authenticate", "Bearer");
    }
    if (status == 503) {
      response.putHeader("Retry-After", RETRY_SECONDS);
    }
    response.headers().remove("Content-Length").remove("ETag");
    if (status != 416) {
      response.headers().remove("Content-Range");
    }
    JsonObject body = JsonForms.error(code, message);
    response.setStatusCode(status).putHeader("Content-Type", "application/json");
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(body.toBuffer());
    }
  }

  private static void drop(HttpServerRequest request, Vertx vertx) {
    long timer =
        vertx.setTimer(
            DROP_MILLIS,
            late -> {
              if (request.version() == HttpVersion.HTTP_2) {
                request.response().reset(); // this stream only
              } else {
                request.connection().close();
              }
            });
    request
        .handler(bytes -> {})
        .exceptionHandler(broken -> vertx.cancelTimer(timer))
        .endHandler(end -> vertx.cancelTimer(timer))
        .resume();
  }
}
