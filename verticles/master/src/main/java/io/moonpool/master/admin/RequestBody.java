package io.moonpool.master.admin;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Reads a request's body up to a limit. */
final class RequestBody {
  private RequestBody() {}

  /** Fails with {@link TooLarge} as soon as the body is known to exceed the limit. */
  static Future<Buffer> read(HttpServerRequest request, int maxBytes) {
    String announced = request.getHeader("Content-Length");
    if (announced != null && exceeds(announced, maxBytes)) {
      return Future.failedFuture(new TooLarge(maxBytes));
    }
    Buffer body = Buffer.buffer();
    Promise<Buffer> promise = Promise.promise();
    request.exceptionHandler(promise::tryFail);
    request.handler(
        piece -> {
          if (body.length() + piece.length() > maxBytes) {
            promise.tryFail(new TooLarge(maxBytes));
          } else {
            body.appendBuffer(piece);
          }
        });
    request.endHandler(end -> promise.tryComplete(body));
    return promise.future();
  }

  private static boolean exceeds(String announced, int maxBytes) {
    // The HTTP decoder has refused what is no number.
    return announced.length() > 9 || Integer.parseInt(announced) > maxBytes;
  }

  /** The body is larger than this interface reads. */
  static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLarge(int maxBytes) {
      super("the body is larger than " + maxBytes + " bytes: send less", null, false, false);
    }
  }
}
