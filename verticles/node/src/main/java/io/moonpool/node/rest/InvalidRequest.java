package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.json.JsonForms;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what is not HTTP, or more of it than a node reads, in the form of every other error. */
final class InvalidRequest {
  private InvalidRequest() {}

  /** Answers and closes the connection: nobody knows where the next request would start. */
  static void refuse(HttpServerRequest request) {
    RestFailure failure =
        switch (request.decoderResult().cause()) {
          case TooLongHttpLineException line ->
              new RestFailure(
                  414, ErrorCode.INVALID_PARAMS, "the request line is too long: shorten the key");
          case TooLongHttpHeaderException headers ->
              new RestFailure(431, ErrorCode.INVALID_PARAMS, "the headers are too long: send less");
          case null, default ->
              new RestFailure(400, ErrorCode.INVALID_PARAMS, "this is not an HTTP request");
        };
    request
        .response()
        .setStatusCode(failure.status())
        .putHeader("Content-Type", "application/json")
        .putHeader("Connection", "close")
        .end(JsonForms.error(failure.code(), failure.message()).toBuffer())
        .onComplete(sent -> request.connection().close());
  }
}
