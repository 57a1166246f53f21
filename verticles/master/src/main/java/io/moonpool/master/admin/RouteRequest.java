package io.moonpool.master.admin;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.Fields;
import io.moonpool.protocol.json.JsonForms;
import io.moonpool.protocol.json.Uuids;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request as its route reads it. Parameters are read strictly: one given twice, of another type
 * or that nobody asked for is {@link ErrorCode#INVALID_PARAMS} with a sentence that names it. Read
 * all, then call {@link #end()}. Used by one thread.
 */
public final class RouteRequest {
  private final Map<String, String> pathParameters;
  private final Supplier<MultiMap> reader;
  private final String rawQuery;
  private final Buffer body;
  private final Set<String> known = new LinkedHashSet<>();

  private @Nullable MultiMap query;

  /**
   * A request.
   *
   * @param reader decodes the query, and fails when it cannot be
   * @param rawQuery as it was sent
   */
  RouteRequest(
      Map<String, String> pathParameters, Supplier<MultiMap> reader, String rawQuery, Buffer body) {
    this.pathParameters = pathParameters;
    this.reader = reader;
    this.rawQuery = rawQuery;
    this.body = body;
  }

  /** A parameter of the path, decoded. */
  public String path(String name) {
    String value = pathParameters.get(name);
    if (value == null) {
      throw new IllegalStateException("the route has no path parameter " + name);
    }
    return value;
  }

  /** A parameter of the path that is a UUID. */
  public UUID pathUuid(String name) {
    return uuid(name, path(name));
  }

  /** The query as it was sent, for paths that do not decode it; may be empty. */
  public String rawQuery() {
    return rawQuery;
  }

  private MultiMap query() {
    MultiMap decoded = query;
    if (decoded == null) {
      decoded = reader.get();
      query = decoded;
    }
    return decoded;
  }

  /** True when the query has that parameter. */
  public boolean has(String name) {
    known.add(name);
    return query().contains(name);
  }

  /** A text of the query, or {@code absent}. */
  public String text(String name, String absent) {
    known.add(name);
    List<String> values = query().getAll(name);
    if (values.size() > 1) {
      throw invalid(name, "is given " + values.size() + " times");
    }
    return values.isEmpty() ? absent : values.get(0);
  }

  /** A whole number of the query, or {@code absent}. */
  public long number(String name, long absent, long min, long max) {
    String text = text(name, Long.toString(absent));
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of range.
    }
    throw invalid(name, "must be a whole number from " + min + " to " + max);
  }

  /** A truth value of the query, or {@code absent}. */
  public boolean truth(String name, boolean absent) {
    return switch (text(name, Boolean.toString(absent))) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, "must be true or false");
    };
  }

  /** An id of the query; null when it is empty or not there. */
  public @Nullable UUID uuid(String name) {
    String text = text(name, "");
    return text.isEmpty() ? null : uuid(name, text);
  }

  /** One of a set of constants, by its name in lower case; null when it is empty or not there. */
  public <E extends Enum<E>> @Nullable E constant(String name, Class<E> constants) {
    String text = text(name, "");
    return text.isEmpty()
        ? null
        : JsonForms.constant(text, constants)
            .orElseThrow(() -> invalid(name, "must be one of " + JsonForms.names(constants)));
  }

  /** The fields of the JSON body; none when the body is empty. */
  public Fields fields() {
    if (body.length() == 0) {
      return new Fields(new JsonObject());
    }
    try {
      return new Fields(new JsonObject(body));
    } catch (DecodeException | ClassCastException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "the body is not a JSON object: " + whyNotJson(e));
    }
  }

  /** Refuses query parameters that were not asked for. */
  public void end() {
    for (String name : query().names()) {
      if (!known.contains(name)) {
        throw new StoreException(
            ErrorCode.INVALID_PARAMS,
            "unknown query parameter "
                + name
                + (known.isEmpty()
                    ? ": this path takes none"
                    : ": this path takes " + String.join(", ", known)));
      }
    }
  }

  private static UUID uuid(String name, String text) {
    try {
      return Uuids.parse(text);
    } catch (IllegalArgumentException e) {
      throw invalid(name, "must be a UUID of 36 characters");
    }
  }

  private static StoreException invalid(String name, String what) {
    return new StoreException(ErrorCode.INVALID_PARAMS, "parameter " + name + " " + what);
  }

  /** Where reading ended, in words of our own: the parser's are about its tokens. */
  private static String whyNotJson(RuntimeException failure) {
    if (!(failure.getCause() instanceof JsonProcessingException parsing)
        || parsing.getLocation() == null) {
      return "it is a value of another kind, or something follows the object";
    }
    JsonLocation at = parsing.getLocation();
    String place = "line " + at.getLineNr() + ", column " + at.getColumnNr();
    return parsing instanceof JsonEOFException
        ? "it ends at " + place + ", before the object does"
        : "it cannot be read from " + place + " on";
  }
}
