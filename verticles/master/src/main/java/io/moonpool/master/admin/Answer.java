package io.moonpool.master.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * What a route answers.
 *
 * @param status the HTTP status
 * @param contentType the media type of the body
 * @param body not written to a HEAD request
 */
public record Answer(int status, String contentType, Buffer body) {
  /** The media type of JSON. */
  public static final String JSON = "application/json";

  /** Status 200 with JSON. */
  public static Answer ok(JsonObject body) {
    return json(200, body);
  }

  /** Any status with JSON. */
  public static Answer json(int status, JsonObject body) {
    return new Answer(status, JSON, body.toBuffer().appendByte((byte) '\n'));
  }
}
