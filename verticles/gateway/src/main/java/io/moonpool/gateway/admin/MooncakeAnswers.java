package io.moonpool.gateway.admin;

import io.moonpool.master.admin.Answer;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How Mooncake's master writes answers. Any thread. */
final class MooncakeAnswers {
  static final String JSON = "application/json; charset=utf-8";
  static final String TEXT = "text/plain; charset=utf-8";

  private MooncakeAnswers() {}

  /** Text with status 200. */
  static Answer text(String text) {
    return text(200, text);
  }

  /** Text with any status. */
  static Answer text(int status, String text) {
    return new Answer(status, TEXT, Buffer.buffer(text));
  }

  /** JSON with status 200. */
  static Answer json(JsonObject body) {
    return json(200, body);
  }

  /** JSON with any status. */
  static Answer json(int status, JsonObject body) {
    return new Answer(status, JSON, body.toBuffer());
  }

  /** JSON of a success, to be filled. */
  static JsonObject success() {
    return new JsonObject().put("success", true);
  }

  /** JSON of a success that also says that there is no error. */
  static JsonObject withoutError(JsonObject success) {
    return success.put("error_code", 0).put("error_message", "");
  }

  /** An error of the table, by its name. */
  static Answer failed(StoreException failure) {
    return failed(status(failure.code()), failure.code(), failure.code().name());
  }

  /** An error of the table in other words. */
  static Answer failed(int status, ErrorCode code, String message) {
    return json(
        status,
        new JsonObject()
            .put("success", false)
            .put("error_code", code.number())
            .put("error_message", message));
  }

  private static int status(ErrorCode code) {
    return switch (code) {
      case INVALID_PARAMS -> 400;
      case JOB_NOT_FOUND, SEGMENT_NOT_FOUND, OBJECT_NOT_FOUND, TENANT_NOT_REGISTERED -> 404;
      case UNAVAILABLE_IN_CURRENT_MODE, UNAVAILABLE_IN_CURRENT_STATUS, TENANT_NOT_EMPTY -> 409;
      default -> 500;
    };
  }

  /** An id as two numbers of 64 bits. */
  static String id(UUID id) {
    return Long.toUnsignedString(id.getMostSignificantBits())
        + "-"
        + Long.toUnsignedString(id.getLeastSignificantBits());
  }

  /** The id that a text means, in Mooncake's form or in that of UUIDs; null when it is none. */
  static @Nullable UUID id(String text) {
    int dash = text.indexOf('-');
    if (dash != text.lastIndexOf('-')) {
      try {
        UUID id = UUID.fromString(text);
        return id.toString().equalsIgnoreCase(text) ? id : null;
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    if (dash < 0) {
      return null;
    }
    try {
      return new UUID(
          Long.parseUnsignedLong(text.substring(0, dash)),
          Long.parseUnsignedLong(text.substring(dash + 1)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A number of 64 bits without sign. */
  static Number unsigned(long bits) {
    return bits >= 0 ? (Number) bits : new BigInteger(Long.toUnsignedString(bits));
  }
}
