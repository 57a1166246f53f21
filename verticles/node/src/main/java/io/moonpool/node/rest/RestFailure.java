package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that cannot be answered: what the answer says instead.
 *
 * @param status of the answer
 */
record RestFailure(int status, ErrorCode code, String message) {
  private static final Logger LOG = LoggerFactory.getLogger(RestFailure.class);

  /** What a failure of the pool means over HTTP; what is none of the table is a bug, and logged. */
  static RestFailure of(Throwable failure) {
    if (failure instanceof StoreException known) {
      return new RestFailure(HttpStatuses.of(known.code()), known.code(), known.sentence());
    }
    if (failure instanceof PutObject.TooLarge tooLarge) {
      return new RestFailure(
          413, ErrorCode.NO_AVAILABLE_HANDLE, String.valueOf(tooLarge.getMessage()));
    }
    LOG.error("A request failed", failure);
    return of(new StoreException(ErrorCode.INTERNAL_ERROR));
  }

  /** Answers. What is left of the request's body is not read. */
  void answer(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      // Too late for a status: an answer that breaks off is all that can be said.
      response.reset();
      return;
    }
    if (!request.isEnded() && request.version() != HttpVersion.HTTP_2) {
      response.putHeader("Connection", "close");
    }
    if (status == 401) {
      response.putHeader("WWW-Authenticate", "Bearer");
    }
    JsonObject body = JsonForms.error(code, message);
    response.setStatusCode(status).putHeader("Content-Type", "application/json");
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(body.toBuffer());
    }
  }
}
