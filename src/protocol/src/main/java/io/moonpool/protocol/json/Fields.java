package io.moonpool.protocol.json;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON request strictly: a field of another type, a number out of range and a field that
 * nobody asked for are {@link ErrorCode#INVALID_PARAMS} with a sentence that names the field. Read
 * all fields, then call {@link #end()}. Used by one thread.
 */
public final class Fields {
  private final JsonObject json;
  private final String where;
  private final Set<String> known = new LinkedHashSet<>();

  /** The fields of a request's body. */
  public Fields(JsonObject json) {
    this(json, "");
  }

  private Fields(JsonObject json, String where) {
    this.json = json;
    this.where = where;
  }

  /** True when the field is there and not null. */
  public boolean has(String name) {
    known.add(name);
    return json.getValue(name) != null;
  }

  /** A text that must be there. */
  public String text(String name) {
    Object value = required(name);
    if (value instanceof String text) {
      return text;
    }
    throw invalid(name, "must be a text");
  }

  /** A text, or {@code absent}. */
  public String text(String name, String absent) {
    return has(name) ? text(name) : absent;
  }

  /** A truth value, or {@code absent}. */
  public boolean truth(String name, boolean absent) {
    if (!has(name)) {
      return absent;
    }
    if (json.getValue(name) instanceof Boolean truth) {
      return truth;
    }
    throw invalid(name, "must be true or false");
  }

  /** A whole number that must be there. */
  public long number(String name, long min, long max) {
    return number(name, required(name), min, max);
  }

  /** A whole number, or {@code absent}. */
  public long number(String name, long absent, long min, long max) {
    return has(name) ? number(name, min, max) : absent;
  }

  private long number(String name, @Nullable Object value, long min, long max) {
    if (!(value instanceof Integer || value instanceof Long)) {
      throw invalid(name, "must be a whole number from " + min + " to " + max);
    }
    long number = ((Number) value).longValue();
    if (number < min || number > max) {
      throw invalid(name, "must be from " + min + " to " + max + ", not " + number);
    }
    return number;
  }

  /** An identifier of 64 bits, as decimal text, that must be there. */
  public long identifier(String name) {
    return identifier(name, required(name));
  }

  /** An identifier of 64 bits, as decimal text, or {@code absent}. */
  public long identifier(String name, long absent) {
    return has(name) ? identifier(name) : absent;
  }

  private long identifier(String name, @Nullable Object value) {
    if (value instanceof String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw invalid(name, "must be a decimal number of 64 bits, as text");
      }
    }
    throw invalid(name, "must be a decimal number of 64 bits, as text: \"42\", not 42");
  }

  /** A UUID that must be there. */
  public UUID uuid(String name) {
    try {
      return Uuids.parse(text(name));
    } catch (IllegalArgumentException e) {
      throw invalid(name, "must be a UUID of 36 characters");
    }
  }

  /** One of a set of constants, by its name in lower case, or {@code absent}. */
  public <E extends Enum<E>> E constant(String name, E absent) {
    if (!has(name)) {
      return absent;
    }
    Class<E> constants = absent.getDeclaringClass();
    return JsonForms.constant(text(name), constants)
        .orElseThrow(() -> invalid(name, "must be one of " + JsonForms.names(constants)));
  }

  /** A list of texts; empty when it is not there. */
  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object item : array(name)) {
      if (!(item instanceof String text)) {
        throw invalid(name, "must be a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  /** A list of identifiers of 64 bits, each as decimal text; empty when it is not there. */
  public long[] identifiers(String name) {
    JsonArray array = array(name);
    long[] identifiers = new long[array.size()];
    for (int i = 0; i < identifiers.length; i++) {
      identifiers[i] = identifier(name, array.getValue(i));
    }
    return identifiers;
  }

  /** A list of whole numbers; empty when it is not there. */
  public long[] numbers(String name, long min, long max) {
    JsonArray array = array(name);
    long[] numbers = new long[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(name, array.getValue(i), min, max);
    }
    return numbers;
  }

  /** A list of objects; empty when it is not there. */
  public List<Fields> objects(String name) {
    List<Fields> objects = new ArrayList<>();
    for (Object item : array(name)) {
      if (!(item instanceof JsonObject object)) {
        throw invalid(name, "must be a list of objects");
      }
      objects.add(new Fields(object, where + name + "."));
    }
    return objects;
  }

  /** An object; one without fields when it is not there. */
  public Fields object(String name) {
    if (!has(name)) {
      return new Fields(new JsonObject(), where + name + ".");
    }
    if (json.getValue(name) instanceof JsonObject object) {
      return new Fields(object, where + name + ".");
    }
    throw invalid(name, "must be an object");
  }

  /**
   * Refuses fields that were not asked for: a misspelt one must not silently mean its default.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_PARAMS}
   */
  public void end() {
    for (String name : json.fieldNames()) {
      if (!known.contains(name)) {
        throw new StoreException(
            ErrorCode.INVALID_PARAMS,
            "unknown field "
                + where
                + name
                + (known.isEmpty()
                    ? ": this request has no fields"
                    : ": the fields are " + String.join(", ", known)));
      }
    }
  }

  /** The failure that says what is wrong with a field. */
  public StoreException invalid(String name, String what) {
    return new StoreException(ErrorCode.INVALID_PARAMS, "field " + where + name + " " + what);
  }

  private JsonArray array(String name) {
    if (!has(name)) {
      return new JsonArray();
    }
    if (json.getValue(name) instanceof JsonArray array) {
      return array;
    }
    throw invalid(name, "must be a list");
  }

  private Object required(String name) {
    known.add(name);
    Object value = json.getValue(name);
    if (value == null) {
      throw invalid(name, "is missing");
    }
    return value;
  }
}
