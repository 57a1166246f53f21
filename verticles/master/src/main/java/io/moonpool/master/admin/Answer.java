package io.moonpool.master.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * What a route answers.
 *
 * @param status the HTTP status
 * @param contentType the media type of the body
 * @param body not written to a HEAD request
 * @param headers further ones, and those that are to be other than usual
 */
public record Answer(int status, String contentType, Buffer body, Map<String, String> headers) {
  /** The media type of JSON. */
  public static final String JSON = "application/json";

  /** Copies the headers. */
  public Answer {
    headers = Map.copyOf(headers);
  }

  /** An answer with the usual headers. */
  public Answer(int status, String contentType, Buffer body) {
    this(status, contentType, body, Map.of());
  }

  /** Status 200 with JSON. */
  public static Answer ok(JsonObject body) {
    return json(200, body);
  }

  /** Any status with JSON. */
  public static Answer json(int status, JsonObject body) {
    return new Answer(status, JSON, body.toBuffer().appendByte((byte) '\n'));
  }
}
