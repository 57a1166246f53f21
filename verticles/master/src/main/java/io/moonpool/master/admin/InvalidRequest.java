package io.moonpool.master.admin;

import io.moonpool.model.ErrorCode;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what is not HTTP, or more of it than this interface reads. */
final class InvalidRequest {
  private InvalidRequest() {}

  /** Answers and closes the connection: nobody knows where the next request would start. */
  static void refuse(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    Answer answer =
        switch (cause) {
          case TooLongHttpLineException tooLong ->
              Refusal.of(414, ErrorCode.INVALID_PARAMS, "the request line is too long: shorten it");
          case TooLongHttpHeaderException tooLong ->
              Refusal.of(431, ErrorCode.INVALID_PARAMS, "the headers are too long: send less");
          case null, default ->
              Refusal.of(400, ErrorCode.INVALID_PARAMS, "this is not an HTTP request");
        };
    request
        .response()
        .setStatusCode(answer.status())
        .putHeader("Content-Type", answer.contentType())
        .putHeader("Connection", "close")
        .end(answer.body())
        .onComplete(sent -> request.connection().close());
  }
}
