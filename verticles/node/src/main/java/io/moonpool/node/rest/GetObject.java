package io.moonpool.node.rest;

import io.moonpool.client.ObjectReader;
import io.moonpool.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET} and {@code HEAD}: a value or a range of it, with its entity tag. The first piece is
 * in memory before the answer starts, so that a value that cannot be read gets a proper status.
 */
final class GetObject implements ObjectRoute {
  private final SharedStaging staging;
  private final RestStats stats;

  GetObject(SharedStaging staging, RestStats stats) {
    this.staging = staging;
    this.stats = stats;
  }

  @Override
  public Future<Void> handle(RestRequest request) {
    request.takesOnly();
    request.passBody(); // a GET's means nothing
    return request.values().open(request.key()).compose(value -> answer(request.http(), value));
  }

  private Future<Void> answer(HttpServerRequest http, ObjectReader value) {
    String tag = EntityTag.of(value);
    HttpServerResponse response = http.response();
    response
        .putHeader("ETag", tag)
        .putHeader("Accept-Ranges", "bytes")
        .putHeader("Cache-Control", "no-cache");
    if (EntityTag.isNamed(http.getHeader("If-None-Match"), tag)) {
      return response.setStatusCode(304).end();
    }
    response.putHeader("Content-Type", "application/octet-stream");
    if (http.method().equals(HttpMethod.HEAD)) {
      return response.putHeader("Content-Length", Long.toString(value.size())).end();
    }
    ByteRange range = range(http, tag, value.size());
    if (range == null) {
      return send(http, value, new ByteRange(0, value.size()));
    }
    response.putHeader("Content-Range", range.contentRange(value.size()));
    if (range.length() == 0) {
      return Future.failedFuture(
          new RefusedRequest(
              416,
              ErrorCode.INVALID_PARAMS,
              "the range is not inside the value of " + value.size() + " bytes"));
    }
    response.setStatusCode(206);
    return send(http, value, range);
  }

  /** The range that is asked for, unless it is asked for of another version than this one. */
  private static @Nullable ByteRange range(HttpServerRequest http, String tag, long size) {
    String onlyOf = http.getHeader("If-Range");
    return onlyOf == null || onlyOf.equals(tag)
        ? ByteRange.of(http.getHeader("Range"), size)
        : null;
  }

  private Future<Void> send(HttpServerRequest http, ObjectReader value, ByteRange range) {
    HttpServerResponse response = http.response();
    response.putHeader("Content-Length", Long.toString(range.length()));
    return new ValueSender(staging.user(http), staging.maxBytes(), stats, response, value, range)
        .send();
  }
}
